import { resourceServer } from '@modelwire/oauth2'
import Fastify, { type FastifyInstance } from 'fastify'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { BenchServer } from '../servers/bench-server.ts'
import { resource } from './oauth-facts.ts'

/** What clients of the API need to know. */
export interface ApiFacts {
  /** Good for the protected routes. */
  readonly tokens: readonly string[]
}

const issuer = 'https://as.example'
const tokenCount = 100

async function makeTokens(): Promise<{ jwks: { keys: object[] }; tokens: string[] }> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const sign = async (at: number): Promise<string> =>
    new SignJWT({ client_id: 'c', scope: 'read' })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'k' })
      .setIssuer(issuer)
      .setAudience(resource)
      .setSubject(`user${at}`)
      .setJti(`${at}`)
      .setIssuedAt()
      .setExpirationTime('12h')
      .sign(privateKey)
  const tokens = await Promise.all(Array.from({ length: tokenCount }, (_, at) => sign(at)))
  return { tokens, jwks: { keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256', use: 'sig' }] } }
}

const answer = { id: 1, name: 'an answer of a usual API', tags: ['a', 'b'] }
const schema = {
  response: {
    200: {
      type: 'object',
      properties: {
        id: { type: 'integer' },
        name: { type: 'string' },
        tags: { type: 'array', items: { type: 'string' } }
      }
    }
  }
}

function addRoute(app: FastifyInstance, path: string): void {
  app.get(path, { schema }, (_request, reply) => {
    void reply.send(answer)
  })
}

/** One route in three scopes: open, protected, and protected by a resource server that remembers no token. */
export async function buildResourceApi(): Promise<BenchServer> {
  const app = Fastify()
  const { tokens, jwks } = await makeTokens()
  const options = { issuer, audience: resource, jwks, resourceMetadata: false } as const
  addRoute(app, '/open')
  await app.register(async (scope) => {
    await scope.register(resourceServer, { ...options, protect: '/protected' })
    addRoute(scope, '/protected')
  })
  await app.register(async (scope) => {
    await scope.register(resourceServer, { ...options, protect: '/verified', rememberTokens: 0 })
    addRoute(scope, '/verified')
  })
  const facts: ApiFacts = { tokens }
  return {
    facts,
    listen: () => app.listen({ host: '127.0.0.1', port: 0 }),
    restore: async () => {},
    close: () => app.close()
  }
}
