import { issuer } from './addresses.ts'
import { buildAuthorizationServer } from './build-authorization-server.ts'
import { listen } from './listen.ts'

const { app, secret } = await buildAuthorizationServer()
await listen(app, issuer)
console.log(`The authorization server listens on ${issuer}
Somebody to sign in as: ann, with the password "a quiet evening"
The secret of the client notes-report, which is shown this once:
export SECRET=${secret}`)
