import type { ModelRegistry } from '@modelwire/core'
import { lineageOf, methodNames, type SharedMethods } from '@modelwire/core/plugin'
import { type ModelType, nameOfRecords } from '@modelwire/core/connector'
import type { FastifyInstance } from 'fastify'
import { AccessModelOpen, AccessRulesUnenforced, ModelPathTaken } from './errors.ts'
import type { RestSettings } from './options.ts'
import { findSharedPaths } from './route-finder.ts'

type IsMethod = (name: string) => boolean

const unknownIn = (setting: SharedMethods | undefined, isMethod: IsMethod): readonly string[] =>
  Object.keys(setting ?? {}).filter((name) => !name.includes('*') && !isMethod(name))

/** What Fastify decides for a whole server, before any plugin: the value that LoopBack's clients expect, or the least. */
const expected = { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 1024 } as const

const checked = new WeakSet<object>()

const timed = new WeakSet<object>()

type Warn = (message: string) => void

const modelsOf = (registry: ModelRegistry): readonly ModelType[] =>
  registry.names().map((name) => registry.typeOf(name))

const placeOf = ({ name, file }: ModelType, key: string) => ({ model: name, key, ...(file !== undefined && { file }) })

/**
 * Checks the models and the server before operations are mounted, and refuses or warns about what makes an API insecure or
 * different from LoopBack's.
 * @throws {AccessRulesUnenforced} a public model has access rules, and no access control is installed
 * @throws {AccessModelOpen} everyone may write the records that decide who may do what
 */
export function checkBeforeMounting(
  scope: FastifyInstance,
  { sharedMethods }: Pick<RestSettings, 'sharedMethods'>
): void {
  const registry: ModelRegistry = scope.models
  const warn = (message: string): void => scope.log.warn(message)
  refuseUnenforcedRules(registry, warn)
  refuseOpenAccess(registry, warn)
  warnOfUnknownMethods(registry, sharedMethods, warn)
  if (registry.rules.wantsLooseRouter) checkServer(scope)
  warnWithoutTimeLimit(scope)
}

/**
 * LB3: LoopBack applications may have such models, as `boot` reports; new ones may not.
 * @throws {ModelPathTaken} two public models have the same path
 */
export function refuseSharedPaths(registry: ModelRegistry): void {
  if (registry.rules.allowsSharedPaths) return
  const [shared] = findSharedPaths(registry)
  if (shared === undefined) return
  const { first, second } = shared
  throw new ModelPathTaken(
    `${first.name} and ${second.name} are both at /${second.httpPath}: set another plural or http.path on one of them`,
    { model: second.name, key: 'http.path' }
  )
}

/** LB3: rules without `enableAuth` have no effect, which is a warning. New applications do not start so. */
function refuseUnenforcedRules(registry: ModelRegistry, warn: Warn): void {
  if (registry.isGuarded) return
  const open = modelsOf(registry).find(
    ({ definition }) => definition.public === true && (definition.acls ?? []).length > 0
  )
  if (open === undefined) return
  const error = new AccessRulesUnenforced(
    'the access rules are not enforced: register the plugin acl before rest',
    placeOf(open, 'acls')
  )
  if (!registry.rules.allowsOpenAccess) throw error
  warn(`rest: ${error.message}`)
}

/** True for a model whose records decide who may do what, and that no rule protects from writes. */
function isOpenAccess(model: ModelType): boolean {
  const { definition, collection, registry } = model
  const isAboutAccess = lineageOf(model).some(({ name }) => registry.accessModels.has(name))
  return isAboutAccess && definition.public === true && collection !== undefined && (definition.acls ?? []).length === 0
}

/**
 * Callers that may write roles, rules or clients may do everything. LB3: an application may leave them open, with a
 * warning.
 * @throws {AccessModelOpen} a new application does
 */
function refuseOpenAccess(registry: ModelRegistry, warn: Warn): void {
  if (!registry.isGuarded) return
  const open = modelsOf(registry).filter(isOpenAccess)
  const [first] = open
  if (first === undefined) return
  const names = open.map(({ name }) => name).join(', ')
  if (!registry.rules.allowsOpenAccess)
    throw new AccessModelOpen(
      `anonymous clients may write ${names}: add acls, or set public to false`,
      placeOf(first, 'public')
    )
  warn(`rest: everybody may write ${names}, which control access: add acls, or set public to false`)
}

/**
 * Logs, once per server, which options of the server itself differ from what LoopBack's clients rely on. Only called for
 * application folders: clients of other models never relied on them. A plugin cannot set these options.
 */
export function checkServer({ server, initialConfig, log }: FastifyInstance): void {
  if (checked.has(server)) return
  checked.add(server)
  const set: Record<string, unknown> = { ...initialConfig, ...initialConfig.routerOptions }
  const missing = {
    ...(set['caseSensitive'] === expected.caseSensitive ? {} : { caseSensitive: expected.caseSensitive }),
    ...(set['ignoreTrailingSlash'] === expected.ignoreTrailingSlash
      ? {}
      : { ignoreTrailingSlash: expected.ignoreTrailingSlash }),
    ...(Number(set['maxParamLength']) >= expected.maxParamLength ? {} : { maxParamLength: expected.maxParamLength })
  }
  if (Object.keys(missing).length === 0) return
  log.warn(
    { routerOptions: missing },
    'LoopBack serves paths in any case, with a trailing slash and with long ids; this server does not: ' +
      `Fastify({ routerOptions: ${JSON.stringify(missing)} }) would`
  )
}

/**
 * Logs a warning when a server starts to listen without a time limit for requests: a client that sends its body slowly
 * holds a connection forever. Fastify sets none by default, and a plugin cannot.
 */
export function warnWithoutTimeLimit(scope: FastifyInstance): void {
  if (timed.has(scope.server)) return
  timed.add(scope.server)
  scope.addHook('onListen', (done) => {
    if (scope.server.requestTimeout === 0)
      scope.log.warn(
        'requests have no time limit: a slow client holds its connection forever; set one with Fastify({ requestTimeout: 120000 })'
      )
    done()
  })
}

/** Lists the methods of a model once, and only where a setting names some. */
function methodsOf(model: ModelType): IsMethod {
  let names: ReadonlyMap<string, string> | undefined
  return (name) => {
    names ??= methodNames(model)
    return names.has(name) || names.has(nameOfRecords(name))
  }
}

/** Warns of names in `sharedMethods` that mean no method: what they should switch off stays reachable. `boot` reports them itself. */
function warnOfUnknownMethods(
  registry: ModelRegistry,
  sharedMethods: SharedMethods | undefined,
  warn: (message: string) => void
): void {
  if (registry.rules.allowsUnknownMethods) return
  const models = registry.names().map((name) => registry.typeOf(name))
  const sharedNames = models
    .filter(({ definition }) => definition.public === true)
    .map((model) => ({ model, isMethod: methodsOf(model) }))
  const unknown = [
    ...unknownIn(sharedMethods, (name) => sharedNames.some(({ isMethod }) => isMethod(name))),
    ...sharedNames.flatMap(({ model, isMethod }) =>
      unknownIn(model.definition.remoting?.sharedMethods, isMethod).map((name) => `${model.name}.${name}`)
    )
  ]
  if (unknown.length > 0) warn(`rest: sharedMethods contains unknown methods: ${unknown.join(', ')}`)
}
