import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose'
import t, { type Test } from 'tap'
import { assertionVerifier } from '#src/server/clients/assertions.ts'

const algorithms = ['ES256', 'ES384', 'ES512', 'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'EdDSA', 'Ed25519']

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const claims = () => ({
  iss: 'c',
  sub: 'c',
  aud: 'https://as.example',
  exp: Math.floor(Date.now() / 1000) + 60,
  jti: `${Math.random()}`
})

async function setUp() {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
  const pem = await exportSPKI(publicKey)
  const verify = assertionVerifier({
    audience: ['https://as.example'],
    algorithms,
    clockTolerance: 5,
    longestLife: 3600,
    useOnce: async () => true
  })
  const refuses = async (t: Test, assertion: string, keys: string, name: string): Promise<void> => {
    await t.rejects(verify({ assertion, kind: 'client', clientId: 'c', keys }), { code: 'OAUTH_INVALID_CLIENT' }, name)
  }
  const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'k1' }] })
  return { pem, jwks, privateKey, publicKey, refuses, verify }
}

void t.test('attack: the public key as a secret (algorithm confusion)', async (t) => {
  const { pem, jwks, refuses, publicKey } = await setUp()
  const der = createPublicKey(pem).export({ type: 'spki', format: 'der' })
  const jwk = JSON.stringify(await exportJWK(publicKey))
  for (const algorithm of ['HS256', 'HS384', 'HS512'])
    for (const secret of [pem, pem.trim(), `${pem}\n`, der, jwk, jwks]) {
      const text = `${encode({ alg: algorithm, typ: 'JWT', kid: 'k1' })}.${encode(claims())}`
      const mac = createHmac(`sha${algorithm.slice(2)}`, secret)
        .update(text)
        .digest('base64url')
      await refuses(t, `${text}.${mac}`, pem, `${algorithm} with a PEM key`)
      await refuses(t, `${text}.${mac}`, jwks, `${algorithm} with a set`)
    }
})

void t.test('attack: no signature', async (t) => {
  const { jwks, refuses } = await setUp()
  for (const alg of ['none', 'None', 'NONE', 'nOnE', '', null, undefined, ['none'], { toString: 'none' }])
    for (const signature of ['', 'AA'])
      await refuses(t, `${encode({ alg })}.${encode(claims())}.${signature}`, jwks, JSON.stringify(alg) ?? 'absent')
})

void t.test('attack: a key of the header', async (t) => {
  const { jwks, refuses } = await setUp()
  const evil = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(evil.publicKey)), kid: 'k1' }
  const headers = [
    { jwk },
    { jku: 'https://evil.example/jwks' },
    { x5u: 'https://evil.example/cert' },
    { kid: '../../../../dev/null' },
    { kid: "x' OR '1'='1" },
    { kid: 'k1', jku: 'data:application/json,{}' },
    { kid: '__proto__' },
    { kid: 'k1', crit: ['exp'], exp: 1 },
    { kid: 'k1', b64: false, crit: ['b64'] }
  ]
  for (const header of headers) {
    const signing = new SignJWT(claims()).setProtectedHeader({ alg: 'RS256', ...header })
    const assertion = await signing
      .sign(evil.privateKey)
      .catch(() => `${encode({ alg: 'RS256', ...header })}.${encode(claims())}.AAAA`)
    await refuses(t, assertion, jwks, JSON.stringify(header))
  }
})

void t.test('attack: a key that is too short', async (t) => {
  const { refuses } = await setUp()
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const { createSign } = await import('node:crypto')
  const text = `${encode({ alg: 'RS256' })}.${encode(claims())}`
  const signature = createSign('sha256').update(text).sign(privateKey).toString('base64url')
  await refuses(t, `${text}.${signature}`, publicKey.export({ type: 'spki', format: 'pem' }).toString(), '1024 bits')
})

void t.test('attack: empty and zero signatures of ECDSA', async (t) => {
  const { refuses } = await setUp()
  const { publicKey } = await generateKeyPair('ES256', { extractable: true })
  const keys = JSON.stringify({ keys: [await exportJWK(publicKey)] })
  const text = `${encode({ alg: 'ES256' })}.${encode(claims())}`
  for (const bytes of [0, 1, 63, 64, 65, 128])
    await refuses(t, `${text}.${Buffer.alloc(bytes).toString('base64url')}`, keys, `${bytes} zero bytes`)
})

void t.test('attack: a huge or deep assertion costs nothing', async (t) => {
  const { jwks, refuses } = await setUp()
  const deep = `${encode({ alg: 'RS256' })}.${Buffer.from('['.repeat(100_000)).toString('base64url')}.AAAA`
  const huge = `${encode({ alg: 'RS256' })}.${encode({ ...claims(), x: 'x'.repeat(1e6) })}.AAAA`
  const before = Date.now()
  await refuses(t, deep, jwks, 'deep')
  await refuses(t, huge, jwks, 'huge')
  t.ok(Date.now() - before < 1000)
})
