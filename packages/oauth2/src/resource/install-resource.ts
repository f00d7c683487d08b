import type { FastifyInstance } from 'fastify'
import type { OAuth2Parts } from '../parts.ts'
import type { TokenSigner } from '../seams.ts'

/** Sets up signing keys, before endpoints; undefined where tokens are opaque and nothing else is signed. */
export async function installKeys(_app: FastifyInstance, _parts: OAuth2Parts): Promise<TokenSigner | undefined> {
  return undefined
}

/** Sets up the resource server, after endpoints. */
export async function installResource(
  _app: FastifyInstance,
  _parts: OAuth2Parts,
  _signer: TokenSigner | undefined
): Promise<void> {}
