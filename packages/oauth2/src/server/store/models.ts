import type { ModelDefinition, ModelRegistry } from '@modelwire/core'
import { attachModels, modelByType } from '@modelwire/core/plugin'
import type { OAuth2Options } from '../../options/oauth2-options.ts'
import { givesIdTokens } from '../../options/settings.ts'

const internal = { public: false, base: 'PersistedModel', holdsSecrets: true } as const
const key = (length: number) => ({ type: 'string', index: true, length }) as const
const tokenId = { type: 'string', id: true, generated: false, length: 300 } as const
const parameters = { type: [{ name: 'string', value: 'string' }] } as const

/** Type of user ids in the tables of tokens. */
type UserIdType = 'string' | 'number'

const issued = {
  issuedAt: { type: 'date', index: true },
  expiresIn: 'number',
  expiredAt: { type: 'date', index: true },
  scopes: ['string']
} as const

/** What tokens, codes and permissions have in common. */
const owners = (userId: UserIdType) => ({ appId: key(128), userId: { type: userId, index: true } }) as const

const belongings = (users: string | undefined) => ({
  application: { type: 'belongsTo', model: 'OAuthClientApplication', foreignKey: 'appId' } as const,
  ...(users === undefined ? {} : { user: { type: 'belongsTo', model: users, foreignKey: 'userId' } as const })
})

/**
 * Access tokens with their refresh tokens. Ids and refresh tokens are hashes; `authorizationCode` names the family.
 * @see loopback-component-oauth2: common/models/oauth-access-token.json
 */
const accessTokenModel = (users: string | undefined, userId: UserIdType): ModelDefinition => ({
  ...internal,
  name: 'OAuthAccessToken',
  properties: {
    id: tokenId,
    ...owners(userId),
    ...issued,
    parameters,
    authorizationCode: key(300),
    refreshToken: key(300),
    tokenType: 'string',
    hash: 'string'
  },
  relations: belongings(users)
})

/** @see loopback-component-oauth2: common/models/oauth-authorization-code.json */
const authorizationCodeModel = (users: string | undefined, userId: UserIdType): ModelDefinition => ({
  ...internal,
  name: 'OAuthAuthorizationCode',
  properties: {
    id: tokenId,
    ...owners(userId),
    ...issued,
    parameters,
    used: 'boolean',
    redirectURI: 'string',
    hash: 'string'
  },
  relations: belongings(users)
})

/** @see LoopBack 3: loopback, common/models/application.json */
const applicationModel: ModelDefinition = {
  ...internal,
  name: 'Application',
  properties: {
    id: { type: 'string', id: true, generated: false },
    realm: 'string',
    name: { type: 'string', required: true },
    description: 'string',
    icon: 'string',
    owner: 'string',
    collaborators: ['string'],
    email: 'string',
    emailVerified: 'boolean',
    url: 'string',
    callbackUrls: ['string'],
    permissions: ['string'],
    clientKey: 'string',
    javaScriptKey: 'string',
    restApiKey: 'string',
    windowsKey: 'string',
    masterKey: 'string',
    pushSettings: 'object',
    authenticationEnabled: { type: 'boolean', default: true },
    anonymousAllowed: { type: 'boolean', default: true },
    authenticationSchemes: ['object'],
    status: { type: 'string', default: 'sandbox' },
    created: { type: 'date', defaultFn: 'now' },
    modified: { type: 'date', defaultFn: 'now' }
  }
}

/** Clients. @see loopback-component-oauth2: common/models/oauth-client-application.json */
const clientModel: ModelDefinition = {
  ...internal,
  name: 'OAuthClientApplication',
  properties: {
    id: { type: 'string', id: true, generated: false, length: 128 },
    clientType: { type: 'string', description: 'public or confidential' },
    redirectURIs: ['string'],
    tokenEndpointAuthMethod: {
      type: 'string',
      description: 'none, client_secret_post, client_secret_basic, private_key_jwt'
    },
    grantTypes: ['string'],
    responseTypes: ['string'],
    tokenType: 'string',
    clientSecret: 'string',
    clientName: 'string',
    clientURI: 'string',
    logoURI: 'string',
    scopes: ['string'],
    contacts: ['string'],
    tosURI: 'string',
    policyURI: 'string',
    jwksURI: 'string',
    jwks: { type: 'string', length: 4096 },
    softwareId: 'string',
    softwareVersion: 'string',
    realm: 'string',
    name: { type: 'string', required: true },
    description: 'string',
    owner: 'string',
    collaborators: ['string'],
    email: 'string',
    emailVerified: 'boolean',
    clientKey: 'string',
    javaScriptKey: 'string',
    restApiKey: 'string',
    windowsKey: 'string',
    masterKey: 'string',
    pushSettings: 'object',
    status: { type: 'string', default: 'sandbox' },
    created: { type: 'date', defaultFn: 'now' },
    modified: { type: 'date', defaultFn: 'now' }
  },
  hidden: ['clientSecret', 'clientKey', 'javaScriptKey', 'restApiKey', 'windowsKey', 'masterKey']
}

/** Clients with redirect URIs for logouts. Tables of the original have no column for that. */
const clientWithLogouts: ModelDefinition = {
  ...clientModel,
  properties: { ...clientModel.properties, postLogoutRedirectURIs: ['string'] }
}

/** What users have permitted to clients. @see loopback-component-oauth2: common/models/oauth-permission.json */
const permissionModel = (users: string | undefined, userId: UserIdType): ModelDefinition => ({
  ...internal,
  name: 'OAuthPermission',
  properties: { ...owners(userId), ...issued },
  relations: belongings(users)
})

/** Scopes as people read them. @see loopback-component-oauth2: common/models/oauth-scope.json */
const scopeModel: ModelDefinition = {
  ...internal,
  name: 'OAuthScope',
  properties: {
    scope: { type: 'string', id: true, generated: false },
    description: 'string',
    iconURL: 'string',
    ttl: { type: 'number', description: 'seconds' }
  }
}

/** What a scope opens. @see loopback-component-oauth2: common/models/oauth-scope-mapping.json */
const scopeMappingModel: ModelDefinition = {
  ...internal,
  name: 'OAuthScopeMapping',
  properties: {
    scope: { type: 'string', index: true, length: 255 },
    route: { type: 'string', description: 'verb and path, such as `GET /orders`; or a path' }
  }
}

/** What lives for a while and changes once: see `StateStore`. */
const stateModel: ModelDefinition = {
  ...internal,
  name: 'OAuthState',
  properties: {
    id: { type: 'string', id: true, generated: false, length: 128, description: 'kind and hash of the key' },
    kind: { type: 'string', length: 32 },
    data: { type: 'text' },
    state: { type: 'string', length: 32 },
    expiredAt: { type: 'date', index: true }
  }
}

/**
 * The models of the server in an order in which they can be defined.
 * @param users name of the user model, where there is one
 * @param userId type of its ids
 * @param hasLogouts clients may have redirect URIs for logouts
 */
export function oauth2Models(
  users: string | undefined,
  userId: UserIdType,
  hasLogouts = false
): readonly ModelDefinition[] {
  return [
    applicationModel,
    hasLogouts ? clientWithLogouts : clientModel,
    accessTokenModel(users, userId),
    authorizationCodeModel(users, userId),
    permissionModel(users, userId),
    scopeModel,
    scopeMappingModel,
    stateModel
  ]
}

/** Names of the models in use. */
export interface ModelNames {
  /** Undefined if the application has no user model. */
  readonly users: string | undefined
  readonly clients: string
  readonly accessTokens: string
  readonly authorizationCodes: string
  readonly permissions: string
}

/** A model as an option names it: by its name, or as its class. */
const nameOf = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value
  const name: unknown = typeof value === 'function' && 'modelName' in value ? value.modelName : undefined
  return typeof name === 'string' ? name : undefined
}

/**
 * The models that the options name, else the first ones with a data source that extend the built-in ones.
 * @throws {UnknownModel} an option names a model that there is not
 */
function modelNames(registry: ModelRegistry, options: OAuth2Options): ModelNames {
  const { models = {}, userModel } = options
  const named = (value: unknown): string | undefined => {
    const name = nameOf(value)
    return name === undefined ? undefined : registry.typeOf(name).name
  }
  return {
    users: named(models.users) ?? named(userModel) ?? modelByType(registry, 'User')?.name,
    clients:
      named(models.clients) ??
      named(options.applicationModel) ??
      modelByType(registry, 'OAuthClientApplication')?.name ??
      'OAuthClientApplication',
    accessTokens: named(models.accessTokens) ?? 'OAuthAccessToken',
    authorizationCodes: named(models.authorizationCodes) ?? 'OAuthAuthorizationCode',
    permissions: named(models.permission) ?? 'OAuthPermission'
  }
}

/** How ids of users are stored beside tokens: as the user model has them. */
function userIdType(registry: ModelRegistry, name: string | undefined): UserIdType {
  const model = name === undefined ? undefined : registry.find(name)
  if (model === undefined) return 'string'
  const { type, generated } = model.idProperty ?? {}
  const isNumber = type?.kind === 'number' || type?.kind === 'integer'
  const makesNumbers = generated === true && model.dataSource?.connector.capabilities.generatedIdType === 'number'
  return isNumber || (type?.kind === 'any' && makesNumbers) ? 'number' : 'string'
}

const dataSourceName = (option: OAuth2Options['dataSource']): string | undefined =>
  typeof option === 'object' ? option.name : option

/** Defines the models that the application does not define itself, attaches those without a data source, and names them. */
export function installModels(registry: ModelRegistry, options: OAuth2Options): ModelNames {
  const users = options.userModel ?? modelByType(registry, 'User')?.name
  const definitions = oauth2Models(users, userIdType(registry, users), givesIdTokens(options))
  for (const definition of definitions) if (registry.find(definition.name) === undefined) registry.define(definition)
  const names = definitions.map(({ name }) => name)
  attachModels(registry, names, dataSourceName(options.dataSource))
  const used = modelNames(registry, options)
  // Models of the application's own may replace these.
  for (const name of Object.values(used)) if (name !== undefined) registry.accessModels.add(name)
  return used
}
