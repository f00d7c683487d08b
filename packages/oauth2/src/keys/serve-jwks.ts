import type { FastifyInstance } from 'fastify'
import type { TokenSigner } from '../seams.ts'

/**
 * Publishes the keys that tokens are verified with.
 * @param cacheFor seconds that readers may keep them: a new key is published for that long before it signs
 */
export function serveJwks(app: FastifyInstance, path: string, signer: TokenSigner, cacheFor: number): void {
  app.get(path, { exposeHeadRoute: false }, async (_request, reply) => {
    const jwks = await signer.jwks()
    return reply
      .header('cache-control', `public, max-age=${cacheFor}`)
      .type('application/jwk-set+json')
      .send(JSON.stringify(jwks))
  })
}
