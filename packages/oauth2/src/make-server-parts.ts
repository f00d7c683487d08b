import { tokenGrants } from './grants/grant-table.ts'
import { makeAssertionVerifier, makeClientProof } from './clients/make-assertions.ts'
import { OptionMissing } from './errors.ts'
import type { ReadHint } from './oidc/id-token-hint.ts'
import type { OAuth2Parts } from './parts.ts'
import type { Interaction, TokenSigner } from './seams.ts'
import type { ServerParts } from './server-parts.ts'
import { signAccessToken } from './tokens/jwt-access-token.ts'

/** Makes JWT access tokens where they are configured. @throws {OptionMissing} they have no issuer */
function jwtIssuing({ settings }: OAuth2Parts, signer: TokenSigner | undefined): ServerParts['signAccessToken'] {
  const { issuer, options } = settings
  if (signer === undefined || options.accessTokens !== 'jwt') return undefined
  if (issuer === undefined) throw new OptionMissing('JWT access tokens name their issuer', { key: 'issuer' })
  const issuing = { signer, issuer, audience: options.audience ?? issuer }
  return async (facts) => signAccessToken(facts, issuing)
}

/** Makes what the endpoints work with. */
export function makeServerParts(
  parts: OAuth2Parts,
  interaction: Interaction,
  signer: TokenSigner | undefined,
  readHint: ReadHint | undefined
): ServerParts {
  const { jwtAlgorithm } = parts.settings.options
  const assertionAlgorithms = jwtAlgorithm === undefined ? ['RS256', 'PS256', 'ES256', 'EdDSA'] : [jwtAlgorithm]
  const verifyAssertion = makeAssertionVerifier(parts, assertionAlgorithms)
  return {
    ...parts,
    interaction,
    signer,
    readHint,
    signAccessToken: jwtIssuing(parts, signer),
    verifyJwt: verifyAssertion,
    verifyAssertion: makeClientProof(parts, verifyAssertion),
    assertionAlgorithms,
    grants: tokenGrants(),
    responseExtras: [],
    moreMetadata: {}
  }
}
