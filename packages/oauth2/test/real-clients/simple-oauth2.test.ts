import { AuthorizationCode, ClientCredentials, ResourceOwnerPassword } from 'simple-oauth2'
import t, { type Test } from 'tap'
import { getCode, pkce } from '../flow.ts'
import { addClient, callback, makeApp, userFunctions } from '../make-app.ts'

/** The status that a request failed with; the error itself holds sockets. */
async function statusOf(failing: Promise<unknown>): Promise<unknown> {
  try {
    await failing
    return 'it worked'
  } catch (error) {
    return (error as { output?: { statusCode?: unknown } }).output?.statusCode ?? String(error) // errors of Boom
  }
}

/** A server at a free port: this client asks over the network alone. */
async function serve(t: Test) {
  const supportedGrantTypes = [
    'authorizationCode',
    'clientCredentials',
    'refreshToken',
    'resourceOwnerPasswordCredentials'
  ] as const
  const app = await makeApp(t, { options: { ...userFunctions, supportedGrantTypes: [...supportedGrantTypes] } })
  const client = await addClient(app, { id: 'simple-client' })
  const tokenHost = await app.listen({ port: 0, host: '127.0.0.1' })
  const paths = { tokenHost, tokenPath: '/oauth/token', revokePath: '/oauth/revoke' }
  return { app, config: { client, auth: paths } }
}

t.test('simple-oauth2 exchanges a code, refreshes and revokes', async (t) => {
  const { app, config } = await serve(t)
  const client = new AuthorizationCode(config)
  const code = await getCode(app, config.client.id)
  const given = { code, redirect_uri: callback, code_verifier: pkce.verifier }
  const token = await client.getToken(given)
  t.match(token.token, { token_type: 'Bearer', scope: 'read' })
  const next = await token.refresh()
  await next.revoke('refresh_token')
  t.equal(await statusOf(next.refresh()), 400)
})

t.test('simple-oauth2 gets tokens for itself and for a password, and hears of errors', async (t) => {
  const { config } = await serve(t)
  t.match((await new ClientCredentials(config).getToken({ scope: 'read' })).token, { expires_in: 600 })
  const passwords = new ResourceOwnerPassword(config)
  t.match((await passwords.getToken({ username: 'bob', password: 'secret-bob' })).token, { token_type: 'Bearer' })
  t.equal(await statusOf(passwords.getToken({ username: 'bob', password: 'wrong' })), 400)
  const stranger = new ClientCredentials({ ...config, client: { id: 'simple-client', secret: 'wrong' } })
  t.equal(await statusOf(stranger.getToken({})), 401)
})
