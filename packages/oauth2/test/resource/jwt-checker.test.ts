import { createLocalJWKSet } from 'jose'
import t from 'tap'
import { jwtChecker, verifyingAlgorithms } from '#src/resource/jwt-checker.ts'
import { audience, issuer, makeIssuer, seconds } from './issuer.ts'

async function setUp(remember = 2) {
  const server = await makeIssuer()
  const looks: unknown[] = []
  const keys = createLocalJWKSet(server.jwks)
  let version = 1
  const check = jwtChecker({
    issuer,
    audience: [audience],
    algorithms: verifyingAlgorithms,
    clockTolerance: 0,
    remember,
    rememberFor: 60,
    keysVersion: () => version,
    findKey: async (header, token) => {
      looks.push(header.kid)
      return keys(header, token)
    }
  })
  const changeKeys = (): void => {
    version++
  }
  return { sign: server.sign, check, looks, changeKeys }
}

void t.test('a token is verified once, and at once from then on', async (t) => {
  const { sign, check, looks } = await setUp()
  const token = await sign()
  const first = check(token)
  t.ok(first instanceof Promise)
  const access = await first
  t.equal(check(token), access, 'no promise, no second look')
  t.equal(looks.length, 1)
})

void t.test('what is remembered is bounded, and forgotten when the keys change', async (t) => {
  const { sign, check, looks, changeKeys } = await setUp(2)
  const [a, b, c] = [await sign(), await sign(), await sign()]
  for (const token of [a, b, c, a]) await check(token)
  t.equal(looks.length, 4, 'the oldest made room')
  t.notOk(check(c) instanceof Promise)
  changeKeys()
  await check(c)
  t.equal(looks.length, 5)
  const none = await setUp(0)
  const token = await none.sign()
  for (let turn = 0; turn < 3; turn++) await none.check(token)
  t.equal(none.looks.length, 3)
})

void t.test('a remembered token ends when its time is over, and is nobody’s to change', async (t) => {
  const { sign, check } = await setUp()
  const token = await sign({ exp: seconds() + 30 })
  const access = await check(token)
  t.throws(() => Object.assign(access, { userId: 'admin' }), TypeError)
  t.throws(() => (access.scopes as string[]).push('admin'), TypeError)
  t.throws(() => Object.assign(access.claims ?? {}, { sub: 'admin' }), TypeError)
  const later = Date.now() + 31_000
  const { now } = Date
  t.teardown(() => {
    Date.now = now
  })
  Date.now = () => later
  t.throws(() => check(token), { code: 'OAUTH_TOKEN_EXPIRED' })
})

void t.test('a token that was refused is looked at again', async (t) => {
  const { sign, check, looks } = await setUp()
  const token = await sign({ aud: 'https://other.example' })
  for (let turn = 0; turn < 2; turn++) await t.rejects(async () => check(token), { code: 'OAUTH_INVALID_TOKEN' })
  t.equal(looks.length, 2)
})
