import { maskSecrets } from '@modelwire/server'
import { Writable } from 'node:stream'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import Fastify, { type FastifyInstance, type LightMyRequestResponse } from 'fastify'
import t, { type Test } from 'tap'
import { authorizeUrl, decide, locationOf, logIn, pkce, redeem, refresh } from '../flow.ts'
import { addClient, basic, callback, makeApp, post } from '../make-app.ts'
import { fieldOf } from '../pages/page-app.ts'

const everyGrant = [
  'authorizationCode',
  'clientCredentials',
  'refreshToken',
  'resourceOwnerPasswordCredentials',
  'implicit',
  'jwt'
] as const

/** A server whose log is kept, everything included. */
function loggingServer(): { server: FastifyInstance; lines: string[] } {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    }
  })
  return { server: Fastify({ logger: { level: 'trace', stream } }), lines }
}

interface Run {
  readonly app: FastifyInstance
  readonly lines: readonly string[]
  /** What nobody may find. */
  readonly secrets: Set<string>
  /** What was answered to requests that failed. */
  readonly refusals: string[]
}

async function start(t: Test): Promise<Run & { client: { id: string; secret: string } }> {
  const { server, lines } = loggingServer()
  const app = await makeApp(t, {
    server,
    options: { supportedGrantTypes: [...everyGrant], rateLimit: false, tokenInQuery: true }
  })
  app.get('/resource', { config: { oauth2: true } }, async () => ({ ok: true }))
  const client = await addClient(app)
  return { app, lines, secrets: new Set([client.secret, 'secret-bob', pkce.verifier]), refusals: [], client }
}

/** Remembers tokens of an answer, or the answer itself where it is a refusal. */
function note({ secrets, refusals }: Run, answer: LightMyRequestResponse): Record<string, string> {
  if (answer.statusCode >= 400) refusals.push(answer.body + JSON.stringify(answer.headers))
  const body = answer.headers['content-type']?.toString().includes('json') ? answer.json<Record<string, string>>() : {}
  for (const name of ['access_token', 'refresh_token', 'id_token'])
    if (body[name] !== undefined) secrets.add(body[name])
  return body
}

/** Codes and tokens by a browser, also twice and by others. */
async function runBrowser(run: Run, client: { id: string; secret: string }): Promise<void> {
  const { app, secrets } = run
  const browser = await logIn(app)
  for (const value of browser.cookies.values()) secrets.add(decodeURIComponent(value))
  const page = await browser.get(authorizeUrl(client.id))
  const code = locationOf(await decide(browser, page)).searchParams.get('code') ?? ''
  secrets.add(code).add(fieldOf(page.body, 'transaction_id'))
  note(run, await redeem(app, client, code, { code_verifier: `${pkce.verifier}x` }))
  const tokens = note(run, await redeem(app, client, code))
  note(run, await redeem(app, client, code))
  note(run, await app.inject(`/resource?access_token=${String(tokens['access_token'])}`))
  note(
    run,
    await app.inject({ url: '/resource', headers: { authorization: `Bearer ${String(tokens['access_token'])} x` } })
  )
  const implicit = await browser.get(authorizeUrl(client.id, { response_type: 'token' }))
  secrets.add(new URLSearchParams(locationOf(implicit).hash.slice(1)).get('access_token') ?? '')
}

async function runTokens(run: Run, client: { id: string; secret: string }): Promise<void> {
  const { app } = run
  const proof = basic(client)
  const form = { grant_type: 'password', username: 'bob', password: 'secret-bob' }
  const tokens = note(run, await post(app, '/oauth/token', form, proof))
  const next = note(run, await refresh(app, client, String(tokens['refresh_token'])))
  note(run, await refresh(app, client, String(tokens['refresh_token'])))
  note(run, await post(app, '/oauth/token', { ...form, grant_type: 'nonsense' }, proof))
  note(run, await post(app, '/oauth/token', { ...form, username: 'bob\0' }, proof))
  note(
    run,
    await post(app, '/oauth/token', { grant_type: 'client_credentials', client_secret: client.secret, client_id: 'x' })
  )
  note(run, await post(app, `/oauth/token?client_secret=${client.secret}&password=secret-bob`, form))
  for (const url of ['/oauth/introspect', '/oauth/revoke'])
    note(run, await post(app, url, { token: String(next['access_token']) }, proof))
  note(
    run,
    await app.inject({
      method: 'POST',
      url: '/oauth/token',
      headers: proof,
      payload: { ...form, password: ['secret-bob'] }
    })
  )
}

async function runAssertions(run: Run): Promise<void> {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const jwks = JSON.stringify({ keys: [await exportJWK(publicKey)] })
  await addClient(run.app, { id: 'keyed', authMethod: 'private_key_jwt', jwks })
  const claims = new SignJWT({ jti: 'j1' }).setProtectedHeader({ alg: 'ES256' }).setIssuer('keyed').setSubject('keyed')
  const client_assertion = await claims.setAudience('https://as.example').setExpirationTime('1m').sign(privateKey)
  run.secrets.add(client_assertion)
  const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
  const form = { grant_type: 'client_credentials', client_assertion, client_assertion_type }
  for (let time = 0; time < 2; time++) note(run, await post(run.app, '/oauth/token', form))
}

/** Every row of every table, as it is stored. */
async function dump({ models }: FastifyInstance): Promise<string> {
  const attached = models
    .names()
    .map((name) => models.typeOf(name))
    .filter(({ collection }) => collection !== undefined)
  const rows: unknown[] = []
  for (const { collection } of attached) rows.push(await collection?.find({ where: undefined, order: [], skip: 0 }))
  return JSON.stringify(rows)
}

t.test('after a full run no token, code, secret or password is in the log, in an error, or in a table', async (t) => {
  const run = await start(t)
  await runBrowser(run, run.client)
  await runTokens(run, run.client)
  await runAssertions(run)
  const { secrets, refusals, lines, app } = run
  secrets.delete('')
  t.ok(secrets.size >= 12, `${secrets.size} secrets`)
  t.ok(refusals.length >= 8, `${refusals.length} refusals`)
  t.ok(lines.length > 30, `${lines.length} lines`)
  const places = { log: lines.join(''), errors: refusals.join(''), tables: await dump(app) }
  for (const [place, text] of Object.entries(places))
    for (const secret of secrets) {
      t.notOk(text.includes(secret), `${place}: ${secret.slice(0, 6)}…`)
      t.notOk(text.includes(encodeURIComponent(secret)), `${place}: encoded`)
    }
  t.match(places.log, 'access_token=…')
  t.match(places.tables, 'sha256:')
})

t.test('addresses are logged without their secrets', async (t) => {
  t.equal(maskSecrets('/a?access_token=abc&x=1'), '/a?access_token=…&x=1')
  t.equal(maskSecrets('/a?x=1&code=abc&state=s'), '/a?x=1&code=…&state=s')
  t.equal(maskSecrets(`${callback}?ACCESS_TOKEN=abc`), `${callback}?ACCESS_TOKEN=…`)
  t.equal(maskSecrets('/plain'), '/plain')
})
