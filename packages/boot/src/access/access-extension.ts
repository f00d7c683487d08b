import {
  type AclOptions,
  defineAccessModels,
  modelByType,
  prepareAcl,
  type PreparedAcl,
  tellRelaxedAccess
} from '@modelwire/acl'
import type { ModelType } from '@modelwire/core'
import {
  authenticationHook,
  installUsers,
  type InstalledUsers,
  limitAttempts,
  tellRelaxed,
  type UsersOptions
} from '@modelwire/users'
import type { onRequestHookHandler } from 'fastify'
import { acceptCallback } from '../callback-bridge.ts'
import type { BootContext, BootExtension } from '../extension.ts'
import type { MiddlewareEntry } from '../middleware/read-middleware.ts'
import { handlerNames } from '../scripts/marked-handler.ts'
import { eventsOf } from '../scripts/model-events.ts'
import { addRoleMethods } from './role-methods.ts'
import { addRuleMethods } from './rule-methods.ts'
import { addTokenMethods } from './token-methods.ts'
import { callScript } from './call-script.ts'
import { followExpress } from './follow-express.ts'
import { mailerOf } from './mailer-of.ts'
import { tokenModel, tokenOptions } from './token-options.ts'

/** What the access control of an application is made of. */
export interface AccessSettings {
  readonly acl?: AclOptions | undefined
  readonly users?: UsersOptions | undefined
  /** Names of models that have files of their own. */
  readonly ownModels: ReadonlySet<string>
}

/** What old clients of an application rely on; its options say otherwise. */
const likeLoopBack = {
  // Pinned by acl/owners and acl/ticket-write.
  acl: { recheckOwner: false },
  // Pinned by users/reset; links that were sent already lead to servers that scripts named.
  users: { revealAccounts: true, confirmRedirects: true, applications: true }
} as const

type Status = Exclude<AclOptions['errorStatus'], undefined>

const isStatus = (value: unknown): value is Status => value === 401 || value === 403 || value === 404

function accessOptions({ settings }: BootContext, given: AclOptions = {}): AclOptions {
  const errorStatus = settings.get('aclErrorStatus')
  return { ...likeLoopBack.acl, ...(isStatus(errorStatus) ? { errorStatus } : {}), ...given }
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
  return { ...likeLoopBack.users, ...(accessTokenModel === undefined ? {} : { accessTokenModel }), ...given }
}

function addUsers(context: BootContext, { users: given, ownModels }: AccessSettings): InstalledUsers {
  const { registry, server, settings } = context
  const warn = (message: string): void => server.log.warn(message)
  const users = usersOptions(context, given)
  tellRelaxed(users, warn)
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
  const options = { ...users, tokens: tokenOptions(entries, users.tokens) }
  return followExpress(authenticationHook({ registry: context.registry, options }))
}

/** Looks for tokens in all requests, and lets nobody try passwords without end. */
async function addTokens(context: BootContext, given: UsersOptions | undefined): Promise<void> {
  const { server } = context
  const users = usersOptions(context, given)
  for (const name of ['principal', 'accessToken'])
    if (!server.hasRequestDecorator(name)) server.decorateRequest(name, null)
  const hook = context.requestHooks.get(tokenMiddleware)
  if (hook !== undefined) server.addHook('onRequest', hook)
  await limitAttempts(server, users.rateLimit)
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
    },
    beforeScripts(context) {
      users?.complete()
      acl = prepareAcl(context.registry, accessOptions(context, given.acl))
      addRoleMethods(context.registry, acl.access)
      addRuleMethods(context.registry, acl.access)
      addTokenMethods(context.registry, usersOptions(context, given.users))
      if (!context.server.hasDecorator('access')) context.server.decorate('access', acl.access)
    },
    beforeRest(context) {
      if (readsTokens(context)) context.requestHooks.set(tokenMiddleware, tokenHook(context, given.users))
      if (!context.app.isAuthEnabled) return
      tellRelaxedAccess(accessOptions(context, given.acl), (message) => context.server.log.warn(message))
      acl?.protect()
    },
    async beforeRoutes(context) {
      if (readsTokens(context)) await addTokens(context, given.users)
    }
  }
}
