import type { FastifyInstance } from 'fastify'

/** The metadata of a resource. */
export interface ResourceFacts {
  /** Its address, which tokens name as their audience. */
  readonly resource: string
  /** Issuers of the authorization servers whose tokens it takes. */
  readonly authorizationServers: readonly string[]
  readonly scopes?: readonly string[] | undefined
  readonly name?: string | undefined
  readonly documentation?: string | undefined
  /** Tokens in the query are read, too. */
  readonly inQuery: boolean
}

const wellKnown = '/.well-known/oauth-protected-resource'

/** Where the metadata of a resource is; undefined for one that is named by no address. @see RFC 9728 section 3.1 */
export function metadataPlace(resource: string): { readonly url: string; readonly path: string } | undefined {
  if (!URL.canParse(resource)) return undefined
  const { origin, pathname, protocol } = new URL(resource)
  if (protocol !== 'https:' && protocol !== 'http:') return undefined
  const path = `${wellKnown}${pathname.replace(/\/$/, '')}`
  return { url: `${origin}${path}`, path }
}

/** Publishes the metadata of a resource. @see RFC 9728 section 2 */
export function serveResourceMetadata(app: FastifyInstance, path: string, facts: ResourceFacts): void {
  const { resource, authorizationServers, scopes = [], name, documentation, inQuery } = facts
  const body = {
    resource,
    authorization_servers: authorizationServers,
    bearer_methods_supported: inQuery ? ['header', 'query'] : ['header'],
    ...(scopes.length === 0 ? {} : { scopes_supported: scopes }),
    ...(name === undefined ? {} : { resource_name: name }),
    ...(documentation === undefined ? {} : { resource_documentation: documentation })
  }
  app.get(path, { exposeHeadRoute: false }, async (_request, reply) => {
    void reply.header('cache-control', 'public, max-age=3600')
    return body
  })
}
