import { api } from './addresses.ts'
import { buildApi } from './build-api.ts'
import { listen } from './listen.ts'

await listen(await buildApi(), api)
console.log(`The API listens on ${api}/api/Notes`)
