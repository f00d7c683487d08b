import type { ModelRegistry, ModelType, Operation } from '@modelwire/core'
import { type OAuth2Description, type SecurityScheme } from './openapi-options.ts'

/** Names of schemes with the scopes that are needed; one of several alternatives. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>

/** Who may call, as documents tell it. */
export interface Security {
  readonly schemes: Readonly<Record<string, SecurityScheme>>
  /** The alternatives of an operation; undefined where nothing is guarded at all. */
  readonly of: (operation: Operation) => readonly SecurityRequirement[] | undefined
}

function descendsFromUser(model: ModelType): boolean {
  for (let type: ModelType | undefined = model; type !== undefined; type = type.base)
    if (type.name === 'User') return true
  return false
}

/** Somebody asks for access tokens, or gives them out. */
function hasTokens(registry: ModelRegistry): boolean {
  const models = registry.names().map((name) => registry.typeOf(name))
  return registry.isGuarded || models.some((model) => model.definition.public === true && descendsFromUser(model))
}

const tokenSchemes: Readonly<Record<string, SecurityScheme>> = {
  accessToken: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'The id of an access token, as login answers it'
  },
  accessTokenInQuery: {
    type: 'apiKey',
    in: 'query',
    name: 'access_token',
    description: 'The id of an access token, where no header can be sent'
  }
}

function oauth2Scheme({ flows, description }: OAuth2Description): SecurityScheme {
  return { type: 'oauth2', ...(description === undefined ? {} : { description }), flows }
}

/** The schemes of an API and what each operation asks of a caller, as its guards say. */
export function securityOf(registry: ModelRegistry, oauth2: OAuth2Description | undefined): Security {
  const schemes = {
    ...(hasTokens(registry) ? tokenSchemes : {}),
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
      const isOptional = guards.every(({ onlyForCallers }) => onlyForCallers === true)
      return isOptional ? [{}, ...alternatives] : alternatives
    }
  }
}
