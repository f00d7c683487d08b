import { importJWK, jwtVerify } from 'jose'
import t from 'tap'
import { makeSign, generateSigningKey, importKey } from '#src/server/keys/signing-key.ts'
import { signingAlgorithms } from '#src/options/resource-options.ts'

void t.test('what is signed is verified with its header and claims, by every algorithm', async (t) => {
  for (const algorithm of signingAlgorithms) {
    const { kid, privateJwk, publicJwk } = await generateSigningKey(algorithm)
    const sign = makeSign({ kid, algorithm, key: await importKey({ ...privateJwk, ext: false }, algorithm) })
    for (const typ of ['at+jwt', 'JWT', 'at+jwt']) {
      const token = await sign({ sub: 'ä€😀', aud: ['a', 'b'], n: 1.5 }, typ)
      t.match(token, /^[\w-]+\.[\w-]+\.[\w-]+$/)
      const { payload, protectedHeader } = await jwtVerify(token, await importJWK(publicJwk), { typ })
      t.strictSame(protectedHeader, { alg: algorithm, kid, typ })
      t.strictSame(payload, { sub: 'ä€😀', aud: ['a', 'b'], n: 1.5 })
    }
  }
})

void t.test('a signature is good for its own text alone', async (t) => {
  for (const algorithm of signingAlgorithms) {
    const { kid, privateJwk, publicJwk } = await generateSigningKey(algorithm)
    const sign = makeSign({ kid, algorithm, key: await importKey(privateJwk, algorithm) })
    const [header, , signature] = (await sign({ sub: 'a' }, 'JWT')).split('.')
    const [, other] = (await sign({ sub: 'b' }, 'JWT')).split('.')
    await t.rejects(jwtVerify(`${header}.${other}.${signature}`, await importJWK(publicJwk)))
  }
})

void t.test('many at once are all signed', async (t) => {
  const { kid, privateJwk, publicJwk } = await generateSigningKey('ES256')
  const sign = makeSign({ kid, algorithm: 'ES256', key: await importKey(privateJwk, 'ES256') })
  const subjects = Array.from({ length: 200 }, (_, at) => `user ${at}`)
  const tokens = await Promise.all(subjects.map(async (sub) => sign({ sub }, 'JWT')))
  const key = await importJWK(publicJwk)
  const verified = await Promise.all(tokens.map(async (token) => (await jwtVerify(token, key)).payload.sub))
  t.strictSame(verified, subjects)
})
