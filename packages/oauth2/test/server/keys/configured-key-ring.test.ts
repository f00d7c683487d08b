import { decodeProtectedHeader, exportJWK, generateKeyPair, generateSecret, type JWK } from 'jose'
import t from 'tap'
import { configuredKeyRing } from '#src/server/keys/key-ring.ts'
import { signingAlgorithms } from '#src/options/resource-options.ts'
import { generateSigningKey } from '#src/server/keys/signing-key.ts'

const newKey = async (algorithm: (typeof signingAlgorithms)[number], kid: string): Promise<JWK> => ({
  ...(await generateSigningKey(algorithm)).privateJwk,
  alg: algorithm,
  kid
})

void t.test('the first given key signs, all are published without their private parts', async (t) => {
  const ring = await configuredKeyRing([await newKey('ES256', 'a'), await newKey('RS256', 'b')])
  t.equal(decodeProtectedHeader(await ring.sign({}, { typ: 'at+jwt' })).kid, 'a')
  const { keys } = await ring.jwks()
  t.match(keys, [
    { kid: 'a', alg: 'ES256', use: 'sig' },
    { kid: 'b', alg: 'RS256', use: 'sig' }
  ])
  for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'oth'])
    t.notOk(
      keys.some((key) => member in key),
      member
    )
})

void t.test('every algorithm signs and verifies', async (t) => {
  for (const algorithm of signingAlgorithms) {
    const ring = await configuredKeyRing([await newKey(algorithm, 'k')])
    const token = await ring.sign({ a: 1 }, { typ: 'at+jwt' })
    t.equal(decodeProtectedHeader(token).alg, algorithm)
    t.ok(await ring.find('k', algorithm))
  }
})

void t.test('keys that cannot sign safely are refused', async (t) => {
  const good = await newKey('ES256', 'a')
  const { d: _private, ...publicOnly } = good
  const hmac = { ...(await exportJWK(await generateSecret('HS256', { extractable: true }))), d: 'x' }
  const encrypting = await exportJWK((await generateKeyPair('RSA-OAEP', { extractable: true })).privateKey)
  const cases: readonly (readonly JWK[])[] = [
    [],
    [publicOnly],
    [hmac],
    [{ ...encrypting, alg: 'RSA-OAEP' }],
    [good, { ...good }],
    [{ ...good, alg: 'none' }],
    [{ ...good, alg: 'ES384' }],
    [{ kty: 'EC', d: 'x' }]
  ]
  for (const keys of cases) await t.rejects(configuredKeyRing(keys), { code: 'OAUTH_SIGNING_KEY_INVALID' })
})
