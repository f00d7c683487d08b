import Fastify, { type FastifyInstance, type FastifyServerOptions, type InjectOptions } from 'fastify'
import type { Test } from 'tap'
import { resourceServer, type ResourceServerOptions } from '#src/index.ts'
import { audience, issuer, type Issuer } from './issuer.ts'

/** What an API of these tests is made of. */
export interface ApiParts {
  readonly options?: Partial<ResourceServerOptions>
  readonly server?: FastifyServerOptions
  /** Adds routes. */
  readonly routes?: (app: FastifyInstance) => void
}

/** What a handler sees of its caller. */
export const echo = (app: FastifyInstance, url: string): void => {
  app.all(url, { exposeHeadRoute: false }, async ({ oauth2, principal }) => ({
    client: oauth2?.clientId ?? null,
    user: oauth2?.userId ?? null,
    scopes: oauth2?.scopes ?? null,
    principal
  }))
}

/** An API that knows the keys of an issuer and nothing else of it; closed with the test. */
export async function makeApi(t: Test, { jwks }: Pick<Issuer, 'jwks'>, parts: ApiParts = {}): Promise<FastifyInstance> {
  const app = Fastify(parts.server)
  t.teardown(() => app.close())
  await app.register(resourceServer, { issuer, audience, jwks, ...parts.options })
  parts.routes?.(app)
  await app.ready()
  return app
}

/** The request with a token. */
export const withToken = (url: string, token: string, more: InjectOptions = {}): InjectOptions => ({
  url,
  ...more,
  headers: { ...more.headers, authorization: `Bearer ${token}` }
})
