import { InvalidOption } from '@modelwire/server'
import type { ServerServices, Services } from './container.ts'
import { ClientUnknown } from './errors.ts'
import type { GrantKind } from './options/grant-kind.ts'
import type { Settings } from './options/settings.ts'
import type { SignIns } from './pages/sign-ins.ts'
import type { Authenticate } from './resource/resource-server.ts'
import { type ClientFunctions, makeClientFunctions } from './server/clients/registration.ts'
import { type EndpointFunctions, makeEndpointFunctions } from './server/endpoints/endpoints.ts'
import { authorizationCode } from './server/grants/authorization-code.ts'
import { clientCredentials } from './server/grants/client-credentials.ts'
import { grantOfResponse, grantTable } from './server/grants/grant-table.ts'
import type { KeyRing } from './server/keys/signing-key.ts'
import { endTokens, purgeExpired } from './server/store/end-tokens.ts'
import type { StateStore } from './server/store/states.ts'
import type { TokenStore } from './server/store/token-vault.ts'
import { checkClientScopes } from './server/tokens/scopes.ts'

/** `app.oauth2`: the functions for applications. The resource server adds `authenticate`. */
export interface OAuth2 {
  readonly settings: Settings
  readonly tokens: TokenStore
  readonly states: StateStore
  readonly clients: ClientFunctions
  /** Revokes a user's consents and everything issued by them: for one client, or for all. */
  revokeUser(userId: unknown, clientId?: string): Promise<void>
  /** Signs users in and out of browsers, for a custom login; absent without sessions. */
  sessions?: SignIns
  /**
   * Requires a token for requests: to a path, or with the returned hook. With `resourceServer: false` it throws
   * `InvalidOption`.
   */
  authenticate: Authenticate
  /** Signing keys, if anything is signed. */
  keys?: Pick<KeyRing, 'rotate'>
  /** The endpoints, for custom routes; absent with `authorizationServer: false`. */
  endpoints?: EndpointFunctions
  /** Issues an access token to application code; absent with `authorizationServer: false`. */
  issueToken?: IssueToken
  /** Removes tokens, codes and states that have expired; returns their number. */
  purgeExpired(now?: Date): Promise<number>
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The authorization server and the resource server. */
    oauth2: OAuth2
  }
}

/** The token that application code requests. */
export interface TokenOrder {
  readonly clientId: string
  /** Absent for a token of the client itself. */
  readonly userId?: unknown
  readonly scopes?: readonly string[]
  /** Resource servers that the token is for; any when absent. */
  readonly resources?: readonly string[]
}

/** An access token issued to application code. */
export interface OrderedToken {
  readonly accessToken: string
  readonly scopes: readonly string[]
  readonly expiresAt: Date
}

/** Issues an access token without an endpoint. */
export type IssueToken = (order: TokenOrder) => Promise<OrderedToken>

/** No browser took part, and nothing is refreshed. */
const inCode = (kind: GrantKind): GrantKind => ({
  ...kind,
  isRefreshable: false,
  isLoopbackRefreshable: false,
  isInteractive: false
})

/**
 * Makes the function that issues tokens for code of the application. The user does not have to permit them.
 * @throws {ClientUnknown} (the function) no client has this id
 * @throws {ScopeNotAllowed} (the function) the client is registered for other scopes
 */
function makeIssueToken({ settings, clients, users, issueTokens }: ServerServices): IssueToken {
  return async ({ clientId, userId, scopes = [], resources = [] }) => {
    const client = await clients.find(clientId)
    if (client === undefined) throw new ClientUnknown('no client has this id')
    checkClientScopes(settings, client, scopes)
    const user = userId === undefined ? undefined : await users.find(userId)
    const grant = inCode(userId === undefined ? clientCredentials : authorizationCode)
    const { accessToken, facts } = await issueTokens({ client, userId, user, scopes, resources, grant })
    return { accessToken, scopes: facts.scopes, expiresAt: facts.expiresAt }
  }
}

/** Stands for `authenticate` until the resource server sets its own. */
function refuseAuthenticate(): never {
  throw new InvalidOption('authenticate requires the resource server', { key: 'resourceServer' })
}

/** Makes a function of `app.oauth2.keys` that lets the next key sign. */
function rotation({ keys, settings, tokens }: Services): OAuth2['keys'] | undefined {
  return (
    keys && {
      rotate: async (options) => {
        await keys.rotate(options)
        // Introspection answers the same as verification.
        if (options?.compromised === true && settings.options.accessTokens === 'jwt') await tokens.expireAll()
      }
    }
  )
}

/** The functions that need the authorization server. */
function serverFunctions(server: ServerServices): Pick<OAuth2, 'sessions' | 'endpoints' | 'issueToken'> {
  return {
    ...(server.settings.options.session === false ? {} : { sessions: server.signIns }),
    endpoints: makeEndpointFunctions(server),
    issueToken: makeIssueToken(server)
  }
}

const vocabulary = {
  grantTypes: Object.values(grantTable).map(({ type }) => type),
  responseTypes: Object.keys(grantOfResponse)
}

/** Makes the functions of `app.oauth2`. @param server undefined with `authorizationServer: false` */
export function makeFunctions(services: Services, server: ServerServices | undefined): OAuth2 {
  const { registry, names, settings, tokens, codes, states, permissions } = services
  const revokeClient = async (id: string): Promise<void> => {
    await permissions.removeClient(id)
    await codes.revokeClient(id)
    await tokens.revokeClient(id)
  }
  const keys = rotation(services)
  return {
    settings,
    tokens,
    states,
    authenticate: refuseAuthenticate,
    clients: makeClientFunctions(() => registry.get(names.clients), vocabulary, revokeClient),
    async revokeUser(userId, clientId) {
      await permissions.remove(userId, clientId)
      await endTokens({ states, tokens, codes }, [userId], clientId)
    },
    purgeExpired: (now = new Date()) => purgeExpired(registry, names, now),
    ...(keys === undefined ? {} : { keys }),
    ...(server === undefined ? {} : serverFunctions(server))
  }
}
