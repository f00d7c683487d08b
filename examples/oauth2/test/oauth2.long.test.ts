import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { allow } from './allow.ts'
import { freePort, programOf, start } from './programs.ts'

// Four programs start, on a machine that may have other things to do.
const timeout = 120_000

/** Both servers, each in a process of its own. */
async function startServers(t: Test) {
  const env = { ISSUER: `http://127.0.0.1:${await freePort()}`, API: `http://127.0.0.1:${await freePort()}` }
  const server = start(t, programOf('authorization-server'), env)
  const [, secret = ''] = await server.says(/export SECRET=(\S+)/)
  await start(t, programOf('api'), env).says(/listens/)
  return { ...env, SECRET: secret }
}

t.test('the confidential client counts the notes', { timeout }, async (t) => {
  const env = await startServers(t)
  t.equal(await start(t, programOf('confidential-client'), env).ends(), '200 {"count":0}\n')
})

t.test('the public client writes and reads the notes of whoever allows it, and no more', { timeout }, async (t) => {
  const env = await startServers(t)
  const client = start(t, programOf('public-client'), env)
  const [, address = ''] = await client.says(/^(http\S+)$/m)
  await fetch(await allow(address))
  const said = await client.ends()
  t.match(said, /Signed in as user 1\n/)
  t.match(said, /POST \/api\/Notes: 200 .*"text":"Written on the command line"/)
  t.match(said, /GET \/api\/Notes: 200 \[.*"userId":"1"/)
  t.match(said, /no permission: 403\n/)
})

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const tools = ['bash', 'curl', 'openssl', 'sed']
const missing = tools.filter((tool) => spawnSync('which', [tool]).status !== 0)
const skip = missing.length > 0 && `needs ${missing.join(', ')}`

t.test('the commands of the walk-through do what it says', { timeout, skip }, async (t) => {
  const env = await startServers(t)
  const script = [...readme.matchAll(/^```sh\n([^]*?)^```$/gm)]
    .map(([, lines = '']) => lines)
    .join('echo ---\n')
    .replaceAll('http://127.0.0.1:3000', env.ISSUER)
    .replaceAll('http://127.0.0.1:3001', env.API)
    .replace('CODE=paste-it-here', 'read -r CODE')
  const walk = start(t, ['bash', '--norc', '-euc', script], env)
  const [, address = ''] = await walk.says(/^(http:\S+code_challenge_method=S256)$/m)
  const back = await allow(address)
  t.equal(back.searchParams.get('state'), 'abc')
  walk.process.stdin?.end(`${back.searchParams.get('code')}\n`)
  const [count, refused, , , tokens, refreshed, documents] = (await walk.ends()).split('---\n')
  t.equal(count, '{"count":0}\n')
  t.match(refused, /^HTTP\/1.1 403 [^]*error="insufficient_scope", .*scope="notes:read"/i)
  t.match(tokens, /"id_token":"[^]*"text":"Hello"[^]*\[\{.*"text":"Hello"/)
  t.match(refreshed, /"access_token":"[^]*"error":"invalid_grant"/)
  t.match(documents, new RegExp(`"issuer":"${env.ISSUER}"[^]*"resource":"${env.API}"`))
})
