import { exportJWK, generateKeyPair, type JWK, type JWTHeaderParameters, SignJWT } from 'jose'

/** Names of these tests. */
export const issuer = 'https://as.example'
/** The resource of these tests. */
export const audience = 'https://api.example'

/** Claims, right or wrong. */
export type Claims = Readonly<Record<string, unknown>>

/** Seconds since 1970. */
export const seconds = (): number => Math.floor(Date.now() / 1000)

/** The claims of a good access token. */
export const goodClaims = (): Claims => ({
  iss: issuer,
  aud: audience,
  sub: 'u1',
  client_id: 'c1',
  scope: 'read write',
  iat: seconds(),
  exp: seconds() + 60,
  jti: `${Math.random()}`
})

/** An authorization server that is nothing but a key. */
export interface Issuer {
  readonly publicJwk: JWK
  readonly jwks: { readonly keys: JWK[] }
  readonly sign: (claims?: Claims, header?: Partial<JWTHeaderParameters>) => Promise<string>
}

/** Makes an authorization server of these tests. */
export async function makeIssuer(algorithm = 'ES256', kid = 'k1'): Promise<Issuer> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true })
  const publicJwk = { ...(await exportJWK(publicKey)), kid, alg: algorithm, use: 'sig' }
  const sign: Issuer['sign'] = async (claims = {}, header = {}) =>
    new SignJWT({ ...goodClaims(), ...claims })
      .setProtectedHeader({ alg: algorithm, kid, typ: 'at+jwt', ...header })
      .sign(privateKey)
  return { publicJwk, jwks: { keys: [publicJwk] }, sign }
}
