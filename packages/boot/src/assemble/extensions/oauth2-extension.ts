import { type AppMounts, ExpressNotSupported, isFunction, ScriptArgumentInvalid } from '@modelwire/loopback/express'
import type { BootContext, BootExtension, Component } from '../../extension.ts'
import type { ModelFile } from '../../read/models/find-model-files.ts'
import { findByName } from '@modelwire/loopback/api'
import { isPlainObject } from '@modelwire/server'
import type { OAuth2Options, EndpointFunctions } from '@modelwire/oauth2'
import { installModels, oauth2Models, OAuth2OptionsSchema } from '@modelwire/oauth2/models'
import type { FastifyReply, FastifyInstance, FastifyRequest } from 'fastify'

/** The place where options were written. */
interface OptionsPlace {
  readonly file: string
  readonly key?: string
}

/** A handler with Express's signature. */
type ExpressHandler = (request: object, response: unknown, next: (error?: unknown) => void) => void

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** What an application declares about its models before they are defined. */
export interface ModelMentions {
  readonly files: ReadonlyMap<string, ModelFile>
  /** Names in `model-config.json`. */
  readonly configured: ReadonlySet<string>
}

/** The note about protection that is not set up. */
export const noOAuth = 'no script sets up OAuth'

/** The module that scripts of LoopBack applications require. */
export const moduleName = 'loopback-component-oauth2'

const protector = `${moduleName}#authenticate`

/** The handlers of LoopBack's component, as returned to scripts. */
export type Handlers = Readonly<Record<string, unknown>>

/** Calls of `authenticate` made before the server is set up. */
interface Pending {
  readonly paths: readonly string[]
  readonly options: object
}

/** The OAuth state of one application. */
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
      if (handler === undefined) next(new ScriptArgumentInvalid('resourceServer is false: nothing requires tokens'))
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
    throw new ScriptArgumentInvalid('OAuth is already set up: in another script, or in component-config.json', {
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

/** The OAuth component of an application: set up by boot scripts, or by `component-config.json` and `middleware.json`. */
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

/** Views of the application are rendered by Express, as its own pages are. */
function addViews({ server, app }: BootContext, { decisionView }: OAuth2Options): void {
  if (decisionView === undefined || server.hasReplyDecorator('view')) return
  const { render } = app
  server.decorateReply('view', function (this: FastifyReply, name: string, facts: object) {
    const done = (error: unknown, html?: string): void => {
      if (error === undefined || error === null) this.type('text/html; charset=utf-8').send(html)
      else this.send(error)
    }
    if (isFunction(render)) render(name, facts, done)
    return this
  })
}

/** Remembers the request of Fastify for each request of Express. */
function rememberExchanges(server: FastifyInstance): WeakMap<object, Exchange> {
  const exchanges = new WeakMap<object, Exchange>()
  server.addHook('onRequest', (request, reply, done) => {
    exchanges.set(request.raw, { request, reply })
    done()
  })
  return exchanges
}

/** The request as a route would see it: its body is what a parser of Express left. */
function withBody(request: FastifyRequest, raw: object): FastifyRequest {
  const body: unknown = Reflect.get(raw, 'body')
  return Object.create(request, { body: { value: body } }) as FastifyRequest // but for its body it is the same
}

/** An endpoint as a handler that scripts can mount. */
function endpointHandler(
  exchanges: () => WeakMap<object, Exchange> | undefined,
  server: FastifyInstance,
  name: keyof EndpointFunctions
): ExpressHandler {
  return (raw, _response, next) => {
    const exchange = exchanges()?.get(raw)
    const endpoint = server.oauth2.endpoints?.[name]
    if (exchange === undefined || endpoint === undefined) {
      next(new ExpressNotSupported(`there is no ${name} endpoint: authorizationServer is false`))
      return
    }
    void answer(async () => endpoint(withBody(exchange.request, raw), exchange.reply), next)
  }
}

async function answer(run: () => Promise<unknown>, next: (error?: unknown) => void): Promise<void> {
  try {
    await run()
  } catch (error) {
    next(error)
  }
}

/** The name of a model that an option names in one of LoopBack's ways. */
function modelName({ registry }: BootContext, value: unknown): unknown {
  return typeof value === 'string' ? (findByName(registry, value)?.name ?? value) : value
}

/** A data source of a script, or its name. */
function dataSource(value: unknown): unknown {
  const name: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'name') : value
  return typeof name === 'string' ? name : value
}

/**
 * The options of the OAuth component as those of Modelwire, with defaults that answer like LoopBack's component.
 * Unknown options are reported.
 * @throws {ScriptArgumentInvalid} they are not an object
 */
function readOAuth2Options(context: BootContext, rawOptions: unknown, { file, key }: OptionsPlace): OAuth2Options {
  if (rawOptions !== undefined && !isPlainObject(rawOptions))
    throw new ScriptArgumentInvalid('the options of oAuth2Provider must be an object', { file })
  const all = Object.entries(rawOptions ?? {}).filter(([, value]) => value !== undefined && value !== null)
  const unknown = all.filter(([name]) => !(name in OAuth2OptionsSchema.properties))
  for (const [name] of unknown)
    context.add('ignored', { file, key: key === undefined ? name : `${key}.${name}` }, 'unknown OAuth option')
  const accepted = Object.fromEntries(all.filter((entry) => !unknown.includes(entry)))
  const named = Object.entries({
    dataSource: dataSource(accepted['dataSource']),
    userModel: modelName(context, accepted['userModel']),
    applicationModel: modelName(context, accepted['applicationModel'])
  }).filter(([, value]) => value !== undefined)
  const options = { compat: 'loopback', ...accepted, ...Object.fromEntries(named) }
  return options as OAuth2Options // the plugin checks them
}
