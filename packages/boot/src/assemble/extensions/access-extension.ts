import {
  type AclOptions,
  AclOptionsSchema,
  type AclSettings,
  defineAccessModels,
  prepareAcl,
  type PreparedAcl,
  warnAboutWeakenedAccess
} from '@modelwire/acl'
import { decorateCaller, modelByType, principalOf, setCaller } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import { fillDefaults, isPlainObject } from '@modelwire/server'
import {
  authenticationHook,
  installUsers,
  type InstalledUsers,
  limitAttempts,
  warnAboutWeakenedOptions,
  type TokenSearch,
  type UsersOptions,
  UsersOptionsSchema,
  type UsersSettings,
  type SendMail
} from '@modelwire/users'
import type { onRequestHookHandler, FastifyRequest } from 'fastify'
import {
  acceptCallback,
  addRoleMethods,
  addRuleMethods,
  addTokenMethods,
  callScript,
  configuredTokenModel,
  eventsOf,
  ownTokenSearch,
  tokenModel,
  tokenOptions
} from '@modelwire/loopback/api'
import { handlerNames, isFunction, type MiddlewareEntry, ScriptArgumentInvalid } from '@modelwire/loopback/express'
import type { BootContext, BootExtension } from '../../extension.ts'
import type { ModelRegistry } from '@modelwire/core'

/** Models that accounts know, as LoopBack's `User.setup` puts them there. */
const modelNames = { email: 'Email', accessToken: 'AccessToken' } as const

const optionsMethod = 'createOptionsFromRemotingContext'

const functionOf = ({ modelClass }: ModelType): unknown => Reflect.get(modelClass, optionsMethod)

/** The dependencies of an application's access control. */
export interface AccessSettings {
  readonly acl?: AclOptions | undefined
  readonly users?: UsersOptions | undefined
  /** Names of models that have their own files: known once the folder is read, which may be after they are first needed. */
  readonly ownModels: Pick<ReadonlySet<string>, 'has'>
}

/** What old clients of an application rely on; its options override it. */
const likeLoopBack = {
  // Pinned by acl/owners and acl/ticket-write, acl/nested and crud/create.
  acl: { recheckOwner: false, nested: 'parent', showWritten: true },
  // Pinned by users/reset; links that were sent already lead to servers that scripts named. Pages of other origins may be clients.
  users: { revealAccounts: true, confirmRedirects: true, applications: true, tokens: { cookieOrigins: true } }
} as const

/** LoopBack's answers, unless `config.json` chooses the defaults of the packages. */
const compatibleOptions = ({ settings }: BootContext): Partial<typeof likeLoopBack> =>
  settings.get('strictAccess') === true ? {} : likeLoopBack

type Status = Exclude<AclOptions['errorStatus'], undefined>

const isStatus = (value: unknown): value is Status => value === 401 || value === 403 || value === 404

function accessOptions(context: BootContext, rawOptions: AclOptions = {}): AclSettings {
  const errorStatus = context.settings.get('aclErrorStatus')
  const own = isStatus(errorStatus) ? { errorStatus } : {}
  return fillDefaults(AclOptionsSchema, { ...compatibleOptions(context).acl, ...own, ...rawOptions })
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

/** The options of users: those of the server, then those of the files, then what old clients rely on. */
function usersOptions(context: BootContext, rawOptions: UsersOptions = {}): UsersOptions {
  const accessTokenModel = tokenModel(tokenEntries(context))
  const named = accessTokenModel === undefined ? {} : { accessTokenModel }
  const { users } = compatibleOptions(context)
  return { ...users, ...named, ...rawOptions, tokens: { ...users?.tokens, ...rawOptions.tokens } }
}

/** The same with the defaults of what none of them names. */
const usersSettings = (context: BootContext, rawOptions: UsersOptions | undefined): UsersSettings =>
  fillDefaults(UsersOptionsSchema, usersOptions(context, rawOptions))

function addUsers(context: BootContext, { users: userOptions, ownModels }: AccessSettings): InstalledUsers {
  const { registry, app, settings } = context
  const { warn } = app
  const users = usersSettings(context, userOptions)
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
      // LB3: lib/models/user.js
      from: users.mailFrom ?? 'noreply@example.com',
      apiRoot: userOptions?.apiRoot ?? String(settings.get('restApiRoot') ?? users.apiRoot)
    }),
    warn
  }
  return installUsers(registry, parts, ownModels)
}

/** Whether the application looks for tokens: a script enabled it, or the middleware is there. */
const readsTokens = (context: BootContext): boolean => context.app.isAuthEnabled || tokenEntries(context).length > 0

/** LB3: the middleware takes tokens of `AccessToken` unless it names others, the REST API by itself of the model that extends it. */
function defaultTokens(
  { registry }: BootContext,
  entries: readonly MiddlewareEntry[]
): Pick<UsersOptions, 'accessTokenModel'> {
  const model = entries.length === 0 ? modelByType(registry, 'AccessToken') : undefined
  return model === undefined ? {} : { accessTokenModel: model.name }
}

/** The hook that finds out who calls. Middleware of Express that comes after it sees `req.accessToken`. */
function tokenHook(context: BootContext, userOptions: UsersOptions | undefined): onRequestHookHandler {
  const entries = tokenEntries(context)
  const users = { ...defaultTokens(context, entries), ...usersOptions(context, userOptions) }
  const options = fillDefaults(UsersOptionsSchema, { ...users, tokens: tokenOptions(entries, users.tokens) })
  const { registry } = context
  const currentModel = (): ModelType => configuredTokenModel(entries) ?? registry.typeOf(options.accessTokenModel)
  const ownSearch = (): TokenSearch | undefined => ownTokenSearch(currentModel(), Object(entries[0]?.params) as object) // of the middleware
  return followExpress(authenticationHook({ registry, options, tokenModel: currentModel, ownSearch }))
}

/** Looks for tokens in all requests, and limits attempts at passwords. */
async function addTokens(context: BootContext, userOptions: UsersOptions | undefined): Promise<void> {
  const { server } = context
  const users = usersSettings(context, userOptions)
  decorateCaller(server)
  const hook = context.requestHooks.get(tokenMiddleware)
  if (hook !== undefined) server.addHook('onRequest', hook)
  await limitAttempts(server, context.registry, users.rateLimit)
}

/** Guards calls by rules once a script enabled them, and by what scripts put in their place. */
function guardCalls(context: BootContext, acl: PreparedAcl, settings: AccessSettings): void {
  const { app, registry, server } = context
  const { authorization } = app
  const { denial } = acl
  if (app.isAuthEnabled) {
    warnAboutWeakenedAccess(accessOptions(context, settings.acl), (message) => server.log.warn(message))
    acl.protect((operation, guard) => authorization.around(operation, guard, denial))
  } else if (authorization.custom !== undefined)
    registry.addGuardSource((operation) => authorization.around(operation, () => {}, denial))
}

/** What scripts use of the built-in models; models of the application that stand in their place get it once they are defined. */
function addScriptMembers(context: BootContext, { access }: PreparedAcl, { users }: AccessSettings): void {
  const { registry } = context
  addRoleMethods(registry, access)
  addRuleMethods(registry, access)
  addTokenMethods(registry, () => usersSettings(context, users))
  addUserMembers(registry)
}

/** Provides LoopBack's users and access control: the built-in models always, tokens and rules once a script enables them. */
export function accessExtension(settings: AccessSettings): BootExtension {
  let users: InstalledUsers | undefined
  let acl: PreparedAcl | undefined
  return {
    name: 'access',
    middleware: [tokenMiddleware],
    beforeModels(context) {
      defineAccessModels(context.registry, settings.ownModels)
      users = addUsers(context, settings)
      acl = prepareAcl(context.registry, () => accessOptions(context, settings.acl))
      addScriptMembers(context, acl, settings)
    },
    beforeScripts(context) {
      users?.complete()
      if (acl === undefined) return
      addScriptMembers(context, acl, settings)
      if (!context.server.hasDecorator('access')) context.server.decorate('access', acl.access)
    },
    beforeRest(context) {
      if (readsTokens(context)) context.requestHooks.set(tokenMiddleware, tokenHook(context, settings.users))
      honourScriptOptions(context.registry)
      if (acl !== undefined) guardCalls(context, acl, settings)
    },
    afterRest: ({ registry }) => closeRules(registry),
    async beforeRoutes(context) {
      if (readsTokens(context)) await addTokens(context, settings.users)
    }
  }
}

/**
 * Closes the access rules of all models: routes are guarded by what they are now, and a rule that a script adds later would
 * have no effect.
 */
function closeRules(registry: ModelRegistry): void {
  for (const name of registry.names()) {
    const { definition } = registry.typeOf(name)
    const refuse = (): never => {
      throw new ScriptArgumentInvalid(
        'access rules of models cannot change after startup; use ACL.create to store some',
        {
          model: name,
          key: 'acls'
        }
      )
    }
    const closed = { set: refuse, defineProperty: refuse, deleteProperty: refuse }
    const acls =
      definition.acls &&
      new Proxy(
        definition.acls.map((rule) => (isPlainObject(rule) ? new Proxy(rule, closed) : rule)),
        closed
      )
    Object.defineProperty(definition, 'acls', {
      get: () => acls,
      set: refuse,
      enumerable: acls !== undefined,
      configurable: true
    })
  }
}

/** Takes over the token that middleware of Express has set, unless it is the one that was found already. */
function acceptToken(request: FastifyRequest, token: unknown): void {
  const principal = principalOf(token)
  if (token === request.accessToken && principal?.userId === request.principal?.userId) return
  setCaller(request, principal ?? null, typeof token === 'object' ? token : null)
}

/**
 * Makes an authentication hook follow middleware of Express, which may name a token in `req.accessToken`, change the
 * one that was found, or take it away. Where it sets null, no token is searched.
 * @see LoopBack 3: loopback, server/middleware/token.js
 */
function followExpress(hook: onRequestHookHandler): onRequestHookHandler {
  return function (request, reply, done) {
    const token: unknown = Reflect.get(request.raw, 'accessToken')
    if (token !== undefined) acceptToken(request, token)
    if (token === null) done()
    else hook.call(this, request, reply, done)
  }
}

/** Sends by the model `Email`; undefined where it has no data source. */
function mailerOf(registry: ModelRegistry): SendMail | undefined {
  const email = registry.find('Email')
  if (email?.dataSource === undefined) return undefined
  const send: unknown = Reflect.get(email.modelClass, 'send')
  return isFunction(send) ? async (message) => send.call(email.modelClass, message) : undefined
}

/**
 * Lets the functions of scripts make the options of clients' calls, where some model has one.
 * @see LoopBack 3: loopback, lib/model.js, createOptionsFromRemotingContext
 */
function honourScriptOptions(registry: ModelRegistry): void {
  const original: unknown = Reflect.get(registry.rootClass, optionsMethod)
  const replaces = (model: ModelType): boolean => functionOf(model) !== original
  if (!registry.names().some((each) => replaces(registry.typeOf(each)))) return
  registry.optionsOfCall = (context) => {
    const { model } = context.operation
    const make = functionOf(model)
    if (!replaces(model) || !isFunction(make)) return undefined
    return { ...Object(make.call(model.modelClass, context)) } as Readonly<Record<string, unknown>> // a copy of an object
  }
}

/** Gives models of accounts `User.email` and `User.accessToken`: the built-in models. Scripts may put others there. */
function addUserMembers(registry: ModelRegistry): void {
  const user = registry.find('User')?.modelClass
  if (user === undefined) return
  for (const [member, name] of Object.entries(modelNames)) {
    if (Object.hasOwn(user, member)) continue
    Object.defineProperty(user, member, {
      get: () => registry.find(name)?.modelClass,
      set(this: object, value: unknown) {
        Object.defineProperty(this, member, { value, writable: true, configurable: true, enumerable: false })
      },
      configurable: true,
      enumerable: false
    })
  }
}
