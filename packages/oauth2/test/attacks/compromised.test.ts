import t from 'tap'
import { getTokens, isActive, refresh } from '../flow.ts'
import { addClient, makeApp } from '../make-app.ts'

for (const accessTokens of ['jwt', 'opaque'] as const)
  t.test(`after a key became known, earlier tokens that are ${accessTokens} end or not, everywhere`, async (t) => {
    const app = await makeApp(t, { options: { keys: {}, accessTokens } })
    const client = await addClient(app)
    const first = await getTokens(app, client, { scope: 'openid' })
    const ask = async (): Promise<number> => {
      const authorization = `Bearer ${first.access_token}`
      return (await app.inject({ url: '/oauth/userinfo', headers: { authorization } })).statusCode
    }
    t.equal(await ask(), 200)
    await app.oauth2.keys?.rotate({ compromised: true })
    const isOver = accessTokens === 'jwt'
    t.equal(await isActive(app, client, first.access_token), !isOver)
    t.equal(await ask(), isOver ? 401 : 200)
    const next = await refresh(app, client, first.refresh_token)
    t.equal(next.statusCode, 200, 'refresh tokens are signed by no key')
    t.ok(await isActive(app, client, next.json<{ access_token: string }>().access_token))
  })
