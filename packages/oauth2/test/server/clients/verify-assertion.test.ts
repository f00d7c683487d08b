import { createPublicKey } from 'node:crypto'
import { exportJWK, exportSPKI, generateKeyPair, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose'
import t from 'tap'
import { type AssertionKind, assertionVerifier, claimedIssuer } from '#src/server/clients/assertions.ts'

const algorithms = ['ES256', 'ES384', 'ES512', 'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'EdDSA', 'Ed25519']

const audience = ['https://as.example', 'https://as.example/oauth/token']
/** Claims, right or wrong. */
type Claims = Readonly<Record<string, unknown>>

const seconds = (): number => Math.floor(Date.now() / 1000)

async function setUp(algorithm = 'ES256', ownSubject = true) {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k1' }
  const used = new Set<string>()
  const useOnce = async (issuer: string, id: string): Promise<boolean> => {
    const key = `${issuer} ${id}`
    if (used.has(key)) return false
    used.add(key)
    return true
  }
  const verify = assertionVerifier({ audience, algorithms, clockTolerance: 5, longestLife: 3600, useOnce }, ownSubject)
  const sign = async (claims: Claims = {}, header: Partial<JWTHeaderParameters> = {}): Promise<string> => {
    const all = { iss: 'c', sub: 'c', aud: audience[0], exp: seconds() + 60, jti: `${Math.random()}`, ...claims }
    return new SignJWT(all as JWTPayload).setProtectedHeader({ alg: algorithm, kid: 'k1', ...header }).sign(privateKey)
  }
  const keys = JSON.stringify({ keys: [jwk] })
  const check = async (assertion: string, kind: AssertionKind = 'client', text = keys) =>
    verify({ assertion, kind, clientId: 'c', keys: text })
  return { sign, check, keys, publicKey, privateKey, jwk }
}

void t.test('a good assertion proves a client and says what it grants', async (t) => {
  const { sign, check } = await setUp()
  t.equal((await check(await sign())).subject, 'c')
  t.match(await check(await sign({ sub: 'bob', scope: 'read write' }), 'grant'), {
    subject: 'bob',
    scopes: ['read', 'write']
  })
  t.match((await check(await sign({ sub: 'bob', scope: ['read', 'write'] }), 'grant')).scopes, ['read', 'write'])
  t.ok(await check(await sign({ aud: audience }), 'client'), 'both names of this server')
  t.ok(await check(await sign({}, { typ: 'JWT' })))
  t.ok(await check(await sign({}, { typ: 'application/client-authentication+jwt' })))
})

void t.test('keys are a set, one key, or a PEM text', async (t) => {
  const { sign, check, jwk, publicKey } = await setUp('RS256')
  const pem = await exportSPKI(publicKey)
  const pkcs1 = createPublicKey(pem).export({ type: 'pkcs1', format: 'pem' }).toString()
  for (const text of [JSON.stringify(jwk), pem, pkcs1]) t.ok(await check(await sign(), 'client', text))
  for (const text of [
    '',
    '{}',
    '[]',
    'null',
    '{"keys":[]}',
    '-----BEGIN PUBLIC KEY-----\nAA==\n',
    '{"keys":[{"kty":"oct","k":"AA"}]}'
  ])
    await t.rejects(check(await sign(), 'client', text), { code: 'OAUTH_INVALID_CLIENT' }, text)
})

const past = -10
const bad: readonly (readonly [string, Claims])[] = [
  ['expired', { exp: seconds() + past }],
  ['without an end', { exp: undefined }],
  ['that lives for ever', { exp: seconds() + 1e9 }],
  ['not valid yet', { nbf: seconds() + 600 }],
  ['issued in the future', { iat: seconds() + 600 }],
  ['issued by somebody else', { iss: 'other' }],
  ['without an issuer', { iss: undefined }],
  ['about somebody else', { sub: 'other' }],
  ['about nobody', { sub: undefined }],
  ['about an empty name', { sub: '' }],
  ['for another server', { aud: 'https://evil.example' }],
  ['for another server, too', { aud: ['https://as.example', 'https://evil.example'] }],
  ['for nobody', { aud: undefined }],
  ['for an empty list', { aud: [] }],
  ['for a longer address', { aud: 'https://as.example/oauth/token/x' }],
  ['for a prefix', { aud: 'https://as.exampl' }],
  ['with an id that is an object', { jti: { like: '%' } }],
  ['with an end that is a text', { exp: '9999999999' }]
]

void t.test('an assertion with a wrong claim is refused', async (t) => {
  const { sign, check } = await setUp()
  for (const [name, claims] of bad) await t.rejects(check(await sign(claims)), { code: 'OAUTH_INVALID_CLIENT' }, name)
  await t.rejects(check(await sign({ exp: seconds() - 10 }), 'grant'), { code: 'OAUTH_INVALID_GRANT' })
  await t.rejects(check(await sign({ sub: 'bob', scope: ['a', { like: '%' }] }), 'grant'), {
    code: 'OAUTH_INVALID_GRANT'
  })
  await t.rejects(check(await sign({ sub: 'bob', scope: { a: 1 } }), 'grant'), { code: 'OAUTH_INVALID_GRANT' })
})

void t.test('a token of another type is no assertion', async (t) => {
  const { sign, check } = await setUp()
  for (const typ of [
    'at+jwt',
    'application/at+jwt',
    'AT+JWT',
    'dpop+jwt',
    'logout+jwt',
    'secevent+jwt',
    'authorization-grant+jwt',
    ''
  ])
    await t.rejects(check(await sign({}, { typ })), { code: 'OAUTH_INVALID_CLIENT' }, typ)
  await t.rejects(check(await sign({}, { typ: 'client-authentication+jwt' }), 'grant'), { code: 'OAUTH_INVALID_GRANT' })
})

void t.test('an assertion is used once, with or without an id, however its signature is written', async (t) => {
  const { sign, check } = await setUp()
  const withId = await sign()
  await check(withId)
  await t.rejects(check(withId), { message: /already been used/ })
  await t.rejects(check(withId, 'grant'), { message: /already been used/ }, 'nor for something else')
  const without = await sign({ jti: undefined })
  await check(without)
  await t.rejects(check(without), { message: /already been used/ })
  await t.rejects(check(malleable(without)), { message: /already been used/ }, 'the other signature of the same text')
})

/** ECDSA: (r, s) and (r, n - s) are both valid. */
function malleable(token: string): string {
  const [header, payload, signature = ''] = token.split('.')
  const bytes = Buffer.from(signature, 'base64url')
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
  const s = order - BigInt(`0x${bytes.subarray(32).toString('hex')}`)
  const other = Buffer.concat([bytes.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')])
  return `${header}.${payload}.${other.toString('base64url')}`
}

void t.test('a refused assertion is not used up', async (t) => {
  const { sign, check } = await setUp()
  const assertion = await sign({ jti: 'one' })
  await t.rejects(check(`${assertion.slice(0, -4)}AAAA`))
  t.ok(await check(assertion))
})

void t.test('without the client’s own subject where LoopBack allowed any', async (t) => {
  const { sign, check } = await setUp('RS256', false)
  t.equal((await check(await sign({ sub: 'bob' }))).subject, 'bob')
})

void t.test('the issuer is read before anything is verified', async (t) => {
  const { sign } = await setUp()
  t.equal(claimedIssuer(await sign(), 'client'), 'c')
  const wrong = ['', 'x', 'a.b.c', 'a'.repeat(9000), await sign({ iss: undefined }), await sign({ iss: 5 })]
  for (const text of wrong) {
    t.throws(() => claimedIssuer(text, 'client'), { code: 'OAUTH_INVALID_CLIENT' })
    t.throws(() => claimedIssuer(text, 'grant'), { code: 'OAUTH_INVALID_GRANT' })
  }
})
