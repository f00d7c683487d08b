import type { OAuth2Parts } from './parts.ts'
import type { Interaction, TokenSigner } from './seams.ts'
import type { ServerParts } from './server-parts.ts'

/** Makes what the endpoints work with. */
export function makeServerParts(
  parts: OAuth2Parts,
  interaction: Interaction,
  signer: TokenSigner | undefined
): ServerParts {
  const { jwtAlgorithm } = parts.settings.options
  return {
    ...parts,
    interaction,
    signer,
    assertionAlgorithms: jwtAlgorithm === undefined ? ['RS256', 'PS256', 'ES256', 'EdDSA'] : [jwtAlgorithm],
    moreGrants: new Map(),
    responseExtras: [],
    moreMetadata: {}
  }
}
