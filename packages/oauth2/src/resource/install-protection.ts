import type { ModelRegistry } from '@modelwire/core'
import type { Operation } from '@modelwire/core/plugin'
import type { WithDefaults } from '@modelwire/server'
import type { TObject } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import type { OAuth2Rules } from '../options/loopback-rules.ts'
import type { protectionOptions } from '../options/resource-options.ts'
import { signingKeyModel } from '../server/keys/key-store.ts'
import { oauth2Models } from '../server/store/models.ts'
import type { Authenticating } from './authenticate.ts'
import { guardOperations, operationScopes } from './guard-operations.ts'
import { callerHeaders, type ChallengeFacts, challengeOf, makeRefusal, refuseLikeLoopBack } from './refuse-request.ts'
import { createResourceServer, type ResourceServer } from './resource-server.ts'
import { scopedCallers, type ScopedCallers } from './scope-rule.ts'

/** The metadata of a resource. */
interface ResourceFacts {
  /** Its URL, which tokens name as their audience. */
  readonly resource: string
  /** Issuers of the authorization servers whose tokens it accepts. */
  readonly authorizationServers: readonly string[]
  readonly scopes?: readonly string[] | undefined
  readonly name?: string | undefined
  readonly documentation?: string | undefined
  /** Also read tokens from the query. */
  readonly inQuery: boolean
}

const wellKnown = '/.well-known/oauth-protected-resource'

/** Options that every resource server has. */
type ProtectionOptions = WithDefaults<TObject<typeof protectionOptions>>

/** The dependencies of protecting the routes of a server. */
interface Protection {
  readonly options: ProtectionOptions
  readonly check: Authenticating['check']
  /** Set if there are models. */
  readonly registry: ModelRegistry | undefined
  /** Name of this resource; a URL, if its metadata is published. */
  readonly resource: string | undefined
  readonly authorizationServers: readonly string[]
  readonly rules: OAuth2Rules
}

/** Publishes metadata of the resource and returns its address. */
function publish(
  app: FastifyInstance,
  { options, resource, authorizationServers, rules }: Protection
): string | undefined {
  const { resourceMetadata, tokenInQuery = rules.readsTokenFromQuery } = options
  const place = resource === undefined ? undefined : metadataPlace(resource)
  if (resourceMetadata === false || rules.hidesResourceMetadata || resource === undefined || place === undefined)
    return undefined
  const scopes = Object.keys(options.scopeMappings ?? {})
  const facts = { resource, authorizationServers, inQuery: tokenInQuery, scopes, ...resourceMetadata }
  serveResourceMetadata(app, place.path, facts)
  return place.url
}

function guard(
  app: FastifyInstance,
  registry: ModelRegistry,
  { options, rules }: Protection,
  { facts, scoped }: { readonly facts: ChallengeFacts; readonly scoped: ScopedCallers }
): void {
  const {
    unmapped = rules.allowsUnmapped ? 'allow' : 'deny',
    scopeMappings: mappings,
    openOperations: open = [],
    protectAccounts
  } = options
  const challenge = (error: Parameters<typeof challengeOf>[0], scopes: readonly string[]): string =>
    challengeOf(error, facts, scopes)
  if (unmapped === 'allow' && mappings === undefined)
    app.log.warn(
      "oauth2: unmapped is allow: a client's token can call methods that require no scope; scopeMappings define scopes"
    )
  for (const { name } of [...oauth2Models(undefined, 'string'), signingKeyModel]) registry.accessModels.add(name)
  const checkMappings = guardOperations(registry, {
    mappings,
    open,
    protectAccounts,
    challenge,
    scoped,
    opensUnmapped: unmapped === 'allow'
  })
  app.addHook('onReady', async () => checkMappings())
}

/** Finds the scopes of the operation behind a route of `rest`. */
function mappedScopes({ scopeMappings = {} }: ProtectionOptions): NonNullable<ChallengeFacts['operationScopes']> {
  return ({ routeOptions: { config } }) => {
    const operation: Operation | undefined = Reflect.get(config, 'operation')
    return operation === undefined ? [] : operationScopes(operation, scopeMappings)
  }
}

/**
 * Protects the routes of a server, and decorates it with `resourceServer`.
 * @throws {MappedOperationUnknown} (when the server gets ready) a mapping names an operation that is not served
 */
export function installProtection(app: FastifyInstance, protection: Protection): ResourceServer {
  const { options, check, registry, rules } = protection
  const facts: ChallengeFacts = {
    realm: options.realm,
    metadataUrl: publish(app, protection),
    operationScopes: mappedScopes(options)
  }
  const scoped = scopedCallers()
  const server = createResourceServer(app, {
    check,
    refuse: rules.refusesAsOriginal ? refuseLikeLoopBack : makeRefusal(facts),
    refusesAtOnce: rules.refusesAsOriginal,
    inQuery: options.tokenInQuery ?? rules.readsTokenFromQuery,
    headers: callerHeaders(options.addHttpHeaders),
    allowsUnmapped: options.unmapped === 'allow',
    scoped,
    exposesCallerToExpress: rules.exposesCallerToExpress
  })
  if (registry !== undefined) guard(app, registry, protection, { facts, scoped })
  app.decorate('resourceServer', server)
  return server
}

/**
 * Where the metadata of a resource is; undefined for one that is not named by a URL.
 * @see RFC 9728 section 3.1
 */
export function metadataPlace(resource: string): { readonly url: string; readonly path: string } | undefined {
  if (!URL.canParse(resource)) return undefined
  const { origin, pathname, protocol } = new URL(resource)
  if (protocol !== 'https:' && protocol !== 'http:') return undefined
  const path = `${wellKnown}${pathname.replace(/\/$/, '')}`
  return { url: `${origin}${path}`, path }
}

/** Publishes the metadata of a resource. @see RFC 9728 section 2 */
function serveResourceMetadata(app: FastifyInstance, path: string, facts: ResourceFacts): void {
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
