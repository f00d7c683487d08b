import type { FastifyInstance } from 'fastify'
import type { OAuth2Parts } from '../parts.ts'
import type { Interaction, TokenSigner } from '../seams.ts'

/** What endpoints work with besides the other parts. */
export interface ServerParts extends OAuth2Parts {
  readonly interaction: Interaction
  readonly signer: TokenSigner | undefined
}

/** Adds the endpoints that are not switched off. */
export async function registerEndpoints(_app: FastifyInstance, _parts: ServerParts): Promise<void> {}
