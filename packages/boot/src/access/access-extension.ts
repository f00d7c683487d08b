import {
  type AclOptions,
  defineAccessModels,
  prepareAcl,
  type PreparedAcl,
  warnAboutWeakenedAccess
} from '@modelwire/acl'
import { decorateCaller, fillDefaults, modelByType, type ModelType } from '@modelwire/core/plugin'
import {
  authenticationHook,
  installUsers,
  type InstalledUsers,
  limitAttempts,
  warnAboutWeakenedOptions,
  type TokenSearch,
  type UsersOptions,
  UsersOptionsSchema
} from '@modelwire/users'
import type { onRequestHookHandler } from 'fastify'
import { acceptCallback } from '../callback-bridge.ts'
import type { BootContext, BootExtension } from '../extension.ts'
import { handlerNames, type MiddlewareEntry } from '@modelwire/loopback-express'
import { eventsOf } from '../scripts/model/model-events.ts'
import { addRoleMethods } from './role-methods.ts'
import { addRuleMethods } from './rule-methods.ts'
import { addTokenMethods, ownTokenSearch } from './token-methods.ts'
import { callScript } from './call-script.ts'
import { closeRules } from './close-rules.ts'
import { honourScriptOptions } from './script-options.ts'
import { followExpress } from './follow-express.ts'
import { mailerOf } from './mailer-of.ts'
import { addUserMembers } from './user-members.ts'
import { givenTokenModel, tokenModel, tokenOptions } from './token-options.ts'

/** What the access control of an application is made of. */
export interface AccessSettings {
  readonly acl?: AclOptions | undefined
  readonly users?: UsersOptions | undefined
  /** Names of models that have files of their own: known once the folder is read, which may be after they are first asked for. */
  readonly ownModels: Pick<ReadonlySet<string>, 'has'>
}

/** What old clients of an application rely on; its options say otherwise. */
const likeLoopBack = {
  // Pinned by acl/owners and acl/ticket-write, acl/nested and crud/create.
  acl: { recheckOwner: false, nested: 'parent', showWritten: true },
  // Pinned by users/reset; links that were sent already lead to servers that scripts named. Pages of other origins may be clients.
  users: { revealAccounts: true, confirmRedirects: true, applications: true, tokens: { cookieOrigins: true } }
} as const

/** LoopBack's answers, unless `config.json` asks for the usual defaults of the packages. */
const compatibleOptions = ({ settings }: BootContext): Partial<typeof likeLoopBack> =>
  settings.get('strictAccess') === true ? {} : likeLoopBack

type Status = Exclude<AclOptions['errorStatus'], undefined>

const isStatus = (value: unknown): value is Status => value === 401 || value === 403 || value === 404

function accessOptions(context: BootContext, given: AclOptions = {}): AclOptions {
  const errorStatus = context.settings.get('aclErrorStatus')
  return { ...compatibleOptions(context).acl, ...(isStatus(errorStatus) ? { errorStatus } : {}), ...given }
}

function announceReset(model: ModelType, request: object): boolean {
  const events = eventsOf(model.modelClass)
  // LB3: after the answer is on its way.
  setImmediate(() => events.emit('resetPasswordRequest', request))
  return events.listenerCount('resetPasswordRequest') > 0
}

const tokenMiddleware = handlerNames.token

/** `loopback#token` of `middleware.json`, and `loopback.token()` of scripts, in the order in which requests meet them. */
const tokenEntries = ({ allMiddleware }: BootContext): readonly MiddlewareEntry[] =>
  allMiddleware().filter(({ name }) => name === tokenMiddleware)

/** The options of users: those of the server, then what the files say, then what old clients rely on. */
function usersOptions(context: BootContext, given: UsersOptions = {}): UsersOptions {
  const accessTokenModel = tokenModel(tokenEntries(context))
  const named = accessTokenModel === undefined ? {} : { accessTokenModel }
  const { users } = compatibleOptions(context)
  return { ...users, ...named, ...given, tokens: { ...users?.tokens, ...given.tokens } }
}

function addUsers(context: BootContext, { users: given, ownModels }: AccessSettings): InstalledUsers {
  const { registry, app, settings } = context
  const { warn } = app
  const users = usersOptions(context, given)
  warnAboutWeakenedOptions(users, warn)
  const parts = {
    options: users,
    wrap: acceptCallback,
    call: callScript,
    mailer: () => users.sendMail ?? mailerOf(registry),
    announceReset,
    home: () => ({
      host: settings.get('host'),
      port: settings.get('port'),
      apiRoot: users.apiRoot ?? String(settings.get('restApiRoot') ?? '/api')
    }),
    warn
  }
  return installUsers(registry, parts, ownModels)
}

/** Whether the application looks for tokens: a script enabled it, or the middleware is there. */
const readsTokens = (context: BootContext): boolean => context.app.isAuthEnabled || tokenEntries(context).length > 0

/** LB3: the middleware takes tokens of `AccessToken` unless it names others, the REST API by itself of the model that extends it. */
function usualTokens(
  { registry }: BootContext,
  entries: readonly MiddlewareEntry[]
): Pick<UsersOptions, 'accessTokenModel'> {
  const model = entries.length === 0 ? modelByType(registry, 'AccessToken') : undefined
  return model === undefined ? {} : { accessTokenModel: model.name }
}

/** The hook that finds out who calls. Middleware of Express that comes after it sees `req.accessToken`. */
function tokenHook(context: BootContext, given: UsersOptions | undefined): onRequestHookHandler {
  const entries = tokenEntries(context)
  const users = { ...usualTokens(context, entries), ...usersOptions(context, given) }
  const options = fillDefaults(UsersOptionsSchema, { ...users, tokens: tokenOptions(entries, users.tokens) })
  const { registry } = context
  const currentModel = (): ModelType => givenTokenModel(entries) ?? registry.typeOf(options.accessTokenModel)
  const ownSearch = (): TokenSearch | undefined => ownTokenSearch(currentModel(), Object(entries[0]?.params) as object) // of the middleware
  return followExpress(authenticationHook({ registry, options, tokenModel: currentModel, ownSearch }))
}

/** Looks for tokens in all requests, and lets nobody try passwords without end. */
async function addTokens(context: BootContext, given: UsersOptions | undefined): Promise<void> {
  const { server } = context
  const users = usersOptions(context, given)
  decorateCaller(server)
  const hook = context.requestHooks.get(tokenMiddleware)
  if (hook !== undefined) server.addHook('onRequest', hook)
  await limitAttempts(server, context.registry.attempts, users.rateLimit)
}

/** Guards calls by rules once a script enabled them, and by what scripts put in their place. */
function guardCalls(context: BootContext, acl: PreparedAcl, given: AccessSettings): void {
  const { app, registry, server } = context
  const { authorization } = app
  const { denial } = acl
  if (app.isAuthEnabled) {
    warnAboutWeakenedAccess(accessOptions(context, given.acl), (message) => server.log.warn(message))
    acl.protect((operation, guard) => authorization.around(operation, guard, denial))
  } else if (authorization.custom !== undefined)
    registry.addGuardSource((operation) => authorization.around(operation, () => {}, denial))
}

/** What scripts use of the built-in models; models of the application that stand in their place get it once they are defined. */
function addScriptMembers(context: BootContext, { access }: PreparedAcl, { users }: AccessSettings): void {
  const { registry } = context
  addRoleMethods(registry, access)
  addRuleMethods(registry, access)
  addTokenMethods(registry, () => usersOptions(context, users))
  addUserMembers(registry)
}

/** Serves LoopBack's users and access control: the built-in models always, tokens and rules once a script enables them. */
export function accessExtension(given: AccessSettings): BootExtension {
  let users: InstalledUsers | undefined
  let acl: PreparedAcl | undefined
  return {
    name: 'access',
    middleware: [tokenMiddleware],
    beforeModels(context) {
      defineAccessModels(context.registry, given.ownModels)
      users = addUsers(context, given)
      acl = prepareAcl(context.registry, () => accessOptions(context, given.acl))
      addScriptMembers(context, acl, given)
    },
    beforeScripts(context) {
      users?.complete()
      if (acl === undefined) return
      addScriptMembers(context, acl, given)
      if (!context.server.hasDecorator('access')) context.server.decorate('access', acl.access)
    },
    beforeRest(context) {
      if (readsTokens(context)) context.requestHooks.set(tokenMiddleware, tokenHook(context, given.users))
      honourScriptOptions(context.registry)
      if (acl !== undefined) guardCalls(context, acl, given)
    },
    afterRest: ({ registry }) => closeRules(registry),
    async beforeRoutes(context) {
      if (readsTokens(context)) await addTokens(context, given.users)
    }
  }
}
