import { createHmac, createPublicKey } from 'node:crypto'
import { createLocalJWKSet, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import t from 'tap'
import { jwtVerifier, looksLikeJwt, verifyingAlgorithms } from '#src/resource/jwt-checker.ts'
import { audience, type Claims, goodClaims, issuer, makeIssuer, seconds } from './issuer.ts'

const verifierOf = (keys: readonly JWK[]) =>
  jwtVerifier({
    issuer,
    audience: [audience, 'https://other-name.example'],
    algorithms: verifyingAlgorithms,
    clockTolerance: 5,
    findKey: createLocalJWKSet({ keys: [...keys] })
  })
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

void t.test('a good token says who calls and what it reaches', async (t) => {
  const server = await makeIssuer()
  const verify = verifierOf(server.jwks.keys)
  t.match(await verify(await server.sign()), {
    clientId: 'c1',
    userId: 'u1',
    scopes: ['read', 'write'],
    audience: [audience]
  })
  const alone = await verify(await server.sign({ sub: 'c1', scope: undefined }))
  t.equal(alone.userId, undefined, 'a client that acts for itself is no user')
  t.strictSame(alone.scopes, [])
  t.ok(await verify(await server.sign({ aud: ['https://x.example', audience] })))
  t.ok(await verify(await server.sign({ aud: 'https://other-name.example' })))
  t.ok(await verify(await server.sign({}, { typ: 'application/at+jwt' })))
  t.ok(await verify(await server.sign({}, { typ: 'AT+JWT' })))
})

void t.test('every algorithm of public keys is verified', async (t) => {
  for (const algorithm of ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA']) {
    const server = await makeIssuer(algorithm)
    t.ok(await verifierOf(server.jwks.keys)(await server.sign()), algorithm)
  }
})

const wrong: readonly (readonly [string, Claims])[] = [
  ['another issuer', { iss: 'https://evil.example' }],
  ['an issuer with a slash more', { iss: `${issuer}/` }],
  ['an issuer that is a list', { iss: [issuer] }],
  ['no issuer', { iss: undefined }],
  ['another audience', { aud: 'https://evil.example' }],
  ['the audience below this one', { aud: `${audience}/x` }],
  ['an audience that is an object', { aud: { $ne: null } }],
  ['no audience', { aud: undefined }],
  ['no end', { exp: undefined }],
  ['an end that is a text', { exp: '99999999999' }],
  ['no id', { jti: undefined }],
  ['no client', { client_id: undefined }],
  ['a client that is an object', { client_id: { like: '%' } }],
  ['an empty client', { client_id: '' }],
  ['no subject', { sub: undefined }],
  ['a subject that is an object', { sub: { like: '%' } }],
  ['scopes in a list', { scope: ['read'] }],
  ['no time of issue', { iat: undefined }],
  ['a time of issue in the future', { iat: seconds() + 3600 }],
  ['a time before which it is not valid', { nbf: seconds() + 3600 }],
  ['a key that it is bound to', { cnf: { jkt: 'x' } }]
]

void t.test('a token with a wrong claim is refused', async (t) => {
  const server = await makeIssuer()
  const verify = verifierOf(server.jwks.keys)
  for (const [name, claims] of wrong)
    await t.rejects(verify(await server.sign(claims)), { code: 'OAUTH_INVALID_TOKEN' }, name)
  await t.rejects(verify(await server.sign({ exp: seconds() - 60 })), { code: 'OAUTH_TOKEN_EXPIRED' })
})

void t.test(
  'attack: another token of the same server, such as an id_token, a logout token or an assertion',
  async (t) => {
    const server = await makeIssuer()
    const verify = verifierOf(server.jwks.keys)
    for (const typ of ['JWT', 'jwt', '', 'id_token', 'logout+jwt', 'dpop+jwt', 'at+jwt;x', 'application/jwt'])
      await t.rejects(verify(await server.sign({}, { typ })), { code: 'OAUTH_INVALID_TOKEN' }, typ)
  }
)

void t.test('attack: the public key as a secret', async (t) => {
  for (const algorithm of ['RS256', 'ES256', 'EdDSA']) {
    const server = await makeIssuer(algorithm)
    const verify = verifierOf(server.jwks.keys)
    const key = createPublicKey({ key: server.publicJwk, format: 'jwk' })
    const pem = key.export({ type: 'spki', format: 'pem' })
    const secrets = [
      pem,
      pem.toString().trim(),
      key.export({ type: 'spki', format: 'der' }),
      JSON.stringify(server.publicJwk),
      JSON.stringify(server.jwks)
    ]
    for (const secret of [...secrets, '', 'k1']) {
      const text = `${encode({ alg: 'HS256', typ: 'at+jwt', kid: 'k1' })}.${encode(goodClaims())}`
      const mac = createHmac('sha256', secret).update(text).digest('base64url')
      await t.rejects(verify(`${text}.${mac}`), { code: 'OAUTH_INVALID_TOKEN' })
    }
  }
})

void t.test('attack: no signature, or the wrong one', async (t) => {
  const server = await makeIssuer()
  const verify = verifierOf(server.jwks.keys)
  for (const alg of ['none', 'None', 'nOnE', 'NONE', '', ' none', null, 0, {}, ['ES256']])
    for (const signature of ['', 'AA', Buffer.alloc(64).toString('base64url')])
      await t.rejects(verify(`${encode({ alg, typ: 'at+jwt' })}.${encode(goodClaims())}.${signature}`), {
        code: 'OAUTH_INVALID_TOKEN'
      })
  const [header, , signature] = (await server.sign()).split('.')
  await t.rejects(verify(`${header}.${encode({ ...goodClaims(), sub: 'admin' })}.${signature}`), {
    code: 'OAUTH_INVALID_TOKEN'
  })
  const [, payload] = (await server.sign()).split('.')
  await t.rejects(verify(`${header}.${payload}.`), { code: 'OAUTH_INVALID_TOKEN' })
})

void t.test('attack: a key that the token brings or points to', async (t) => {
  const server = await makeIssuer()
  const verify = verifierOf(server.jwks.keys)
  const evil = await generateKeyPair('ES256', { extractable: true })
  const jwk = { ...(await exportJWK(evil.publicKey)), kid: 'k1' }
  const headers: readonly object[] = [
    { jwk },
    { jwk, kid: 'k1' },
    { jku: 'https://evil.example/jwks.json', kid: 'k1' },
    { jku: 'https://as.example@evil.example/jwks.json' },
    { x5u: 'https://evil.example/cert.pem' },
    { x5c: ['AAAA'] },
    { x5t: 'AAAA' },
    { kid: '../../../../../../dev/null' },
    { kid: '/proc/sys/kernel/randomize_va_space' },
    { kid: "k1' UNION SELECT 'secret" },
    { kid: 'https://evil.example/key' },
    { kid: '__proto__' },
    { kid: 'constructor' },
    { kid: '' },
    {}
  ]
  for (const header of headers) {
    const token = await new SignJWT({ ...goodClaims() })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', ...header })
      .sign(evil.privateKey)
    await t.rejects(verify(token), { code: 'OAUTH_INVALID_TOKEN' }, JSON.stringify(header))
  }
})

void t.test('attack: extensions that nobody here knows', async (t) => {
  const server = await makeIssuer()
  const verify = verifierOf(server.jwks.keys)
  const [, payload, signature] = (await server.sign()).split('.')
  for (const header of [
    { alg: 'ES256', typ: 'at+jwt', crit: ['x'], x: 1 },
    { alg: 'ES256', typ: 'at+jwt', crit: [] },
    { alg: 'ES256', typ: 'at+jwt', crit: 'b64', b64: false },
    { alg: 'ES256', typ: 'at+jwt', b64: false, crit: ['b64'] }
  ])
    await t.rejects(verify(`${encode(header)}.${payload}.${signature}`), { code: 'OAUTH_INVALID_TOKEN' })
})

void t.test('attack: a published key that is not for signatures, or symmetric', async (t) => {
  const server = await makeIssuer()
  const secret = { kty: 'oct', k: Buffer.from('secret of everybody').toString('base64url'), kid: 'h1', alg: 'HS256' }
  const verify = verifierOf([secret, { ...server.publicJwk, use: 'enc' }])
  await t.rejects(verify(await server.sign()), { code: 'OAUTH_INVALID_TOKEN' }, 'a key for encryption')
  const text = `${encode({ alg: 'HS256', typ: 'at+jwt', kid: 'h1' })}.${encode(goodClaims())}`
  const mac = createHmac('sha256', 'secret of everybody').update(text).digest('base64url')
  await t.rejects(verify(`${text}.${mac}`), { code: 'OAUTH_INVALID_TOKEN' }, 'a symmetric key')
})

void t.test('attack: tokens that cost much', async (t) => {
  const server = await makeIssuer()
  const verify = verifierOf(server.jwks.keys)
  const before = Date.now()
  const texts = [
    'a.b.c',
    '..',
    '...',
    'a.b',
    '',
    '.'.repeat(10_000),
    `${'a'.repeat(1e6)}.b.c`,
    `${encode({ alg: 'ES256', typ: 'at+jwt' })}.${Buffer.from('['.repeat(5000)).toString('base64url')}.AAAA`,
    'eyJhbGciOiJkaXIifQ..a.b.c'
  ]
  for (const text of texts) await t.rejects(verify(text), { code: 'OAUTH_INVALID_TOKEN' })
  t.ok(Date.now() - before < 2000)
})

void t.test('three parts that begin with an object look like a JWT', async (t) => {
  const server = await makeIssuer()
  t.ok(looksLikeJwt(await server.sign()))
  for (const text of ['', 'abc', 'a.b.c', 'eyJ.a', 'eyJa.b.c.d.e', 'eyJa.b.']) t.notOk(looksLikeJwt(text), text)
})
