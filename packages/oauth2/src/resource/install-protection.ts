import type { ModelRegistry } from '@modelwire/core'
import type { Operation, WithDefaults } from '@modelwire/core/plugin'
import type { TObject } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import type { OAuth2Rules } from '../compat/loopback-rules.ts'
import { signingKeyModel } from '../keys/key-model.ts'
import { oauth2Models } from '../models/definitions.ts'
import type { protectionOptions } from '../options/protection-options.ts'
import type { Authenticating } from './authenticate.ts'
import { type ChallengeFacts, challengeOf } from './challenge.ts'
import { guardOperations, operationScopes } from './guard-operations.ts'
import { callerHeaders } from './http-headers.ts'
import { makeRefusal, refuseLikeLoopBack } from './refuse-request.ts'
import { metadataPlace, serveResourceMetadata } from './resource-metadata.ts'
import { scopedCallers, type ScopedCallers } from './scoped-callers.ts'
import { createResourceServer, type ResourceServer } from './resource-server.ts'

/** Options that every resource server has. */
export type ProtectionOptions = WithDefaults<TObject<typeof protectionOptions>>

/** The dependencies of protecting the routes of a server. */
export interface Protection {
  readonly options: ProtectionOptions
  readonly check: Authenticating['check']
  /** Where there are models. */
  readonly registry: ModelRegistry | undefined
  /** Name of this resource; an address, where metadata are published. */
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
      "oauth2: unmapped is allow: a client's token reaches methods that no scope is asked for; scopeMappings name scopes"
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
