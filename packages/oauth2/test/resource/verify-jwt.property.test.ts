import { runs } from '@modelwire/test-waits'
import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from 'jose'
import * as fc from 'fast-check'
import t from 'tap'
import { OAuthError } from '#src/index.ts'
import { hintReader } from '#src/oidc/id-token.ts'
import { jwtVerifier, verifyingAlgorithms } from '#src/resource/jwt-checker.ts'
import { audience, type Claims, goodClaims, issuer } from './issuer.ts'

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value) ?? '').toString('base64url')
const member = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>('ES256', 'none', 'HS256', 'at+jwt', 'JWT', 'k1', '__proto__')
)
const header = fc.dictionary(fc.constantFrom('alg', 'typ', 'kid', 'crit', 'jwk', 'jku', 'b64', 'enc'), member)
const claimNames = ['iss', 'sub', 'aud', 'exp', 'iat', 'jti', 'client_id', 'scope', 'nbf', 'cnf']
const claims = fc.dictionary(fc.constantFrom(...claimNames), member)
const signature = fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes).toString('base64url'))

async function isRefused(checking: Promise<unknown>): Promise<boolean> {
  try {
    await checking
    return false
  } catch (error) {
    return error instanceof OAuthError && error.statusCode < 500
  }
}

async function makeKeys() {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256' }
  const rules = { issuer, audience: [audience], algorithms: verifyingAlgorithms, clockTolerance: 0 }
  const verify = jwtVerifier({ ...rules, findKey: createLocalJWKSet({ keys: [jwk] }) })
  const readHint = hintReader({ find: async (kid) => (kid === 'k1' ? publicKey : undefined) }, issuer)
  return { privateKey, verify, readHint }
}

void t.test('what nobody signed is no token and no hint, whatever its header says', async () => {
  const { verify, readHint } = await makeKeys()
  const token = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.tuple(header, claims, signature).map(([head, body, sign]) => [encode(head), encode(body), sign].join('.')),
    fc.tuple(fc.jsonValue(), fc.jsonValue()).map(([head, body]) => `${encode(head)}.${encode(body)}.`)
  )
  await fc.assert(
    fc.asyncProperty(token, async (text) => {
      const hinted = readHint === undefined || (await isRefused(readHint(text)))
      return hinted && (await isRefused(verify(text)))
    }),
    { numRuns: runs(300) }
  )
})

void t.test('whatever a server signs is read in the types of the claims, or refused', async () => {
  const { privateKey, verify } = await makeKeys()
  const time: fc.Arbitrary<Claims> = fc.constantFrom<Claims[]>(
    {},
    {},
    { exp: 1e20 },
    { exp: 8.64e12 },
    { iat: -1e20 },
    { iat: 0.5 }
  )
  await fc.assert(
    fc.asyncProperty(claims, time, async (given, times) => {
      const payload = { ...goodClaims(), ...given, ...times }
      const token = await new SignJWT(payload)
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'k1' })
        .sign(privateKey)
      const checking = verify(token)
      if (await isRefused(checking)) return true
      const { clientId, userId, scopes, expiresAt } = await checking
      const isRight =
        clientId === payload.client_id && (userId === undefined || userId === payload.sub) && clientId !== ''
      return isRight && scopes.every((scope) => scope !== '') && !Number.isNaN(expiresAt?.getTime())
    }),
    { numRuns: runs(150) }
  )
})
