import type { ModelRegistry } from '@modelwire/core'
import { isOfModel, type Operation } from '@modelwire/core/plugin'
import type { OAuth2Description, SecurityScheme } from './openapi-types.ts'

/** Names of schemes with the required scopes; one of several alternatives. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>

/** The security of an API in documents. */
export interface Security {
  readonly schemes: Readonly<Record<string, SecurityScheme>>
  /** The alternatives of an operation; undefined if nothing is guarded. */
  readonly of: (operation: Operation) => readonly SecurityRequirement[] | undefined
}

/** True where access tokens are required or issued. */
function hasTokens(registry: ModelRegistry): boolean {
  const models = registry.names().map((name) => registry.typeOf(name))
  return registry.isGuarded || models.some((model) => model.definition.public === true && isOfModel(model, 'User'))
}

/** Pages and clients send it as OAuth servers want it as well, so that one field for tokens is enough. */
const bearerScheme: Readonly<Record<string, SecurityScheme>> = {
  accessToken: { type: 'http', scheme: 'bearer', description: 'The id of an access token, as returned by login' }
}

/** LoopBack reads a Bearer token as Base64: application folders are sent the id itself. */
const loopbackSchemes: Readonly<Record<string, SecurityScheme>> = {
  accessToken: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'The id of an access token, as returned by login'
  },
  accessTokenInQuery: {
    type: 'apiKey',
    in: 'query',
    name: 'access_token',
    description: 'The id of an access token, for clients that cannot send headers'
  }
}

const schemesOf = ({ rules }: ModelRegistry): typeof loopbackSchemes =>
  rules.documentsRawTokens ? loopbackSchemes : bearerScheme

function oauth2Scheme({ flows, description }: OAuth2Description): SecurityScheme {
  return { type: 'oauth2', ...(description === undefined ? {} : { description }), flows }
}

/** The schemes of an API and the requirements of each operation, according to its guards. */
export function securityOf(registry: ModelRegistry, oauth2: OAuth2Description | undefined): Security {
  const schemes = {
    ...(hasTokens(registry) ? schemesOf(registry) : {}),
    ...(oauth2 === undefined ? {} : { oauth2: oauth2Scheme(oauth2) })
  }
  const names = Object.keys(schemes)
  return {
    schemes,
    of: (operation) => {
      if (names.length === 0) return undefined
      const guards = registry.guardsOf(operation)
      if (guards.length === 0 && registry.isGuarded) return []
      const scopes = operation.accessScopes ?? []
      const alternatives = names.map((name) => ({ [name]: name === 'oauth2' ? scopes : [] }))
      // Stored rules may close it, which no document can know.
      const isOptional = guards.every(
        ({ onlyForCallers, answerToAll }) => onlyForCallers === true || answerToAll === true
      )
      return isOptional ? [{}, ...alternatives] : alternatives
    }
  }
}

/** The most common requirement, which the document states once. */
export function usualSecurity(
  operations: readonly Operation[],
  security: Security
): readonly SecurityRequirement[] | undefined {
  const counts = new Map<string, number>()
  for (const operation of operations) {
    const text = JSON.stringify(security.of(operation) ?? null)
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  const [[usual] = ['null']] = [...counts].toSorted(([, left], [, right]) => right - left)
  return (JSON.parse(usual) as readonly SecurityRequirement[] | null) ?? undefined // written above
}
