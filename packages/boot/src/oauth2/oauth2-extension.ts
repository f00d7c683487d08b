import { ScriptArgumentInvalid } from '@modelwire/loopback-express'
import { isPlainObject } from '@modelwire/core/plugin'
import type { OAuth2Options } from '@modelwire/oauth2'
import { installModels, oauth2Models } from '@modelwire/oauth2/models'
import type { BootContext, BootExtension, Component } from '../extension.ts'
import type { AppMounts } from '@modelwire/loopback-express'
import type { ModelFile } from '../models/find-model-files.ts'
import { addViews } from './add-views.ts'
import { endpointHandler, type ExpressHandler, rememberExchanges } from './express-handlers.ts'
import { type OptionsPlace, readOAuth2Options } from './read-options.ts'

/** What an application declares about its models before they are defined. */
export interface ModelMentions {
  readonly files: ReadonlyMap<string, ModelFile>
  /** Names in `model-config.json`. */
  readonly configured: ReadonlySet<string>
}

/** The note about protection that is not set up. */
export const noOAuth = 'no script sets OAuth up'

/** The module that scripts of LoopBack applications require. */
export const moduleName = 'loopback-component-oauth2'

const protector = `${moduleName}#authenticate`

/** What a set-up gives to scripts: the handlers of LoopBack's component. */
export type Handlers = Readonly<Record<string, unknown>>

/** Calls of `authenticate` that come before the server is set up. */
interface Pending {
  readonly paths: readonly string[]
  readonly options: object
}

/** One application's OAuth. */
interface State {
  options: OAuth2Options | undefined
  exchanges: ReturnType<typeof rememberExchanges> | undefined
  readonly pending: Pending[]
}

/** Models of OAuth that the application extends or configures have to be there before its own. */
function defineMentioned({ registry }: BootContext, { files, configured }: ModelMentions): void {
  const bases = Array.from(files.values(), ({ definition }) => definition.base)
  for (const definition of oauth2Models(undefined, 'string')) {
    const { name } = definition
    const isMentioned = (configured.has(name) && !files.has(name)) || bases.includes(name)
    if (isMentioned && registry.find(name) === undefined && !files.has(name)) registry.define(definition)
  }
}

const textsOf = (value: unknown): readonly string[] | undefined => {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return list.every((item) => typeof item === 'string') ? list : undefined
}

const asObject = (value: unknown): object => (isPlainObject(value) ? value : {})

/** `authenticate(paths, options)` protects paths; `authenticate(options)` makes a handler. */
function makeAuthenticate(context: BootContext, state: State): (...args: unknown[]) => ExpressHandler {
  return (first, second) => {
    const paths = first === undefined ? undefined : textsOf(first)
    const options = asObject(paths === undefined ? first : second)
    if (paths !== undefined) state.pending.push({ paths, options })
    let handler: ExpressHandler | undefined
    return (request, response, next) => {
      const { server } = context
      handler ??= server.hasDecorator('resourceServer') ? server.resourceServer.expressHandler(options) : undefined
      if (handler === undefined) next(new ScriptArgumentInvalid('resourceServer is false: nothing asks for tokens'))
      else handler(request, response, next)
    }
  }
}

function handlersOf(context: BootContext, state: State, options: OAuth2Options): Handlers {
  const endpoint = (name: 'authorization' | 'decision' | 'token' | 'revoke') =>
    endpointHandler(() => state.exchanges, context.server, name)
  const server = {
    authorization: endpoint('authorization'),
    decision: endpoint('decision'),
    token: endpoint('token'),
    revoke: endpoint('revoke')
  }
  return {
    ...(options.resourceServer === false ? {} : { authenticate: makeAuthenticate(context, state) }),
    ...(options.authorizationServer === false ? {} : server)
  }
}

/** Takes the options of an application; the server is set up when all scripts have run. */
function setUp(context: BootContext, state: State, rawOptions: unknown, place: OptionsPlace): Handlers {
  if (state.options !== undefined)
    throw new ScriptArgumentInvalid('OAuth is set up already: in another script, or in component-config.json', {
      file: place.file
    })
  const options = readOAuth2Options(context, rawOptions, place)
  // Scripts that come after this one may look for the models.
  installModels(context.registry, options)
  state.options = options
  return handlersOf(context, state, options)
}

/** A page of the application at /login is its login page. */
function withLoginPage(options: OAuth2Options, { calls }: AppMounts): OAuth2Options {
  const { loginPage = '/login' } = options
  const isOwn = calls.some(({ method, args }) => ['get', 'all'].includes(method) && args[0] === loginPage)
  return isOwn ? { ...options, loginPage } : options
}

/** Tokens of users are read later than those of clients. */
const besideUsers = (options: object): object =>
  'optional' in options && options.optional === true ? { ...options, optional: 'unknown' } : options

function protect({ server, middleware }: BootContext, { pending }: State): void {
  for (const { paths, options } of pending) server.oauth2.authenticate(paths, besideUsers(options))
  for (const { name, paths, params } of middleware)
    if (name === protector)
      server.oauth2.authenticate(paths.length === 0 ? ['/'] : paths, besideUsers(asObject(params)))
}

/** The OAuth component of an application: from boot scripts, and from `component-config.json` and `middleware.json`. */
export function oauth2Extension(
  mounts: AppMounts,
  mentions: () => ModelMentions
): { extension: BootExtension; component: Component } {
  const state: State = { options: undefined, exchanges: undefined, pending: [] }
  const extension: BootExtension = {
    name: 'oauth2',
    middleware: [protector],
    beforeModelFiles: (context) => defineMentioned(context, mentions()),
    beforeModels(context) {
      const provider = (_app: unknown, options: unknown): Handlers =>
        setUp(context, state, options, { file: mounts.file })
      const authenticate = makeAuthenticate(context, state)
      context.modules.set(moduleName, Object.assign(provider, { oAuth2Provider: provider, authenticate }))
    },
    async beforeRest(context) {
      const { server, middleware } = context
      const entry = middleware.find(({ name }) => name === protector)
      if (state.options === undefined) {
        if (entry !== undefined)
          context.add('ignored', { file: entry.file, key: entry.key }, noOAuth, {
            advice: 'set it up in component-config.json, or in a boot script'
          })
        return
      }
      state.exchanges = rememberExchanges(server)
      addViews(context, state.options)
      const { oauth2 } = await import('@modelwire/oauth2')
      await server.register(oauth2, withLoginPage(state.options, mounts))
      protect(context, state)
    }
  }
  const component: Component = (context, params) => {
    setUp(context, state, params, { file: 'server/component-config.json', key: moduleName })
  }
  return { extension, component }
}
