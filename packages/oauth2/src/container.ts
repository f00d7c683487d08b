import type { ModelRegistry } from '@modelwire/core'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { type GuessLimits, limitGuesses } from './http/limits.ts'
import { hintReader, idTokenMaker, type ReadHint } from './oidc/id-token.ts'
import { needsKeys, type Settings } from './options/settings.ts'
import { type CsrfTokens, makeCsrfTokens, makeSessionCookie, type SessionCookie } from './pages/browser-session.ts'
import { type Interaction, makeInteraction } from './pages/interaction.ts'
import { makeShowPage, type ShowPage } from './pages/show-page.ts'
import { makeSignIns, type SignIns } from './pages/sign-ins.ts'
import { type Assertions, makeAssertions } from './server/clients/assertions.ts'
import { type ClientDirectory, makeClientDirectory } from './server/clients/client-directory.ts'
import { makeKeyRing } from './server/keys/key-ring.ts'
import type { KeyRing } from './server/keys/signing-key.ts'
import { type CodeVault, makeCodeVault } from './server/store/code-vault.ts'
import { type DeviceCodes, makeDeviceCodes } from './server/store/device-codes.ts'
import { installModels, type ModelNames } from './server/store/models.ts'
import { makePermissions, type Permissions } from './server/store/permissions.ts'
import { makeStateStore, type StateStore } from './server/store/states.ts'
import { makeTokenVault, type TokenVault } from './server/store/token-vault.ts'
import { makeUserDirectory, type UserDirectory } from './server/store/user-directory.ts'
import { accessTokenSigner, type IssueTokens, tokenIssuer } from './server/tokens/issue-token.ts'

/** The shared services of the authorization server and the resource server. */
export interface Services {
  readonly registry: ModelRegistry
  readonly log: FastifyBaseLogger
  readonly settings: Settings
  /** Names of the models in use. */
  readonly names: ModelNames
  readonly tokens: TokenVault
  readonly codes: CodeVault
  /** Short-lived states: transactions, device codes, sessions, used assertions. */
  readonly states: StateStore
  readonly permissions: Permissions
  readonly clients: ClientDirectory
  readonly users: UserDirectory
  /** Signing keys; undefined if nothing is signed. */
  readonly keys: KeyRing | undefined
}

/** The services of the authorization server. Grants and endpoints pick what they need: `Pick<ServerServices, …>`. */
export interface ServerServices extends Services {
  /** Counts failed guesses of passwords, secrets and codes. */
  readonly guesses: GuessLimits
  /** Verifies JWTs that authenticate clients, or that are a grant. */
  readonly assertions: Assertions
  readonly deviceCodes: DeviceCodes
  readonly issueTokens: IssueTokens
  /** Reads ID tokens that clients send back; undefined if none are issued. */
  readonly readHint: ReadHint | undefined
  readonly cookie: SessionCookie
  readonly csrf: CsrfTokens
  readonly signIns: SignIns
  readonly show: ShowPage
  /** Everything that endpoints need from pages and sessions. */
  readonly interaction: Interaction
}

/**
 * Makes the services of both servers, and their models.
 * @throws {OptionMissing} something is signed, and there is neither a key nor a secret to store keys with
 */
export async function makeServices({ models: registry, log }: FastifyInstance, settings: Settings): Promise<Services> {
  const { options } = settings
  const names = installModels(registry, options)
  const model = (name: string) => () => registry.get(name)
  return {
    registry,
    log,
    settings,
    names,
    tokens: makeTokenVault(model(names.accessTokens)),
    codes: makeCodeVault(model(names.authorizationCodes)),
    states: makeStateStore(registry),
    permissions: makePermissions(model(names.permissions)),
    clients: makeClientDirectory(model(names.clients), log),
    users: makeUserDirectory(names.users === undefined ? undefined : model(names.users), options),
    keys: needsKeys(options) ? await makeKeyRing(registry, options) : undefined
  }
}

/**
 * Makes the services of the authorization server.
 * @throws {OptionMissing} access tokens are JWTs, and there is no issuer
 */
export async function makeServerServices(app: FastifyInstance, services: Services): Promise<ServerServices> {
  const { registry, log, settings, names, tokens, states, clients, users, keys } = services
  const cookie = await makeSessionCookie(app, settings)
  const pages = {
    ...services,
    guesses: limitGuesses(registry.attempts, names.users, settings.options.rateLimit),
    deviceCodes: makeDeviceCodes(states),
    readHint: hintReader(keys, settings.issuer),
    cookie,
    csrf: makeCsrfTokens(cookie, settings),
    signIns: makeSignIns(cookie, states, users),
    show: makeShowPage(settings)
  }
  return {
    ...pages,
    interaction: makeInteraction(pages),
    assertions: makeAssertions({ settings, states, clients, log }),
    issueTokens: tokenIssuer({
      settings,
      tokens,
      signAccessToken: accessTokenSigner(settings, keys),
      makeIdToken: idTokenMaker(settings, keys)
    })
  }
}
