import { type ConnectorMethods, isOfRecords, type ModelType, shortName } from '@modelwire/core/connector'
import { type AnyFunction, type Driver, isObject, methodOf, partOf } from '../juggler/driver.ts'
import type { ModelFacade } from '../juggler/model-facade.ts'
import { callWithCallback, firstResult, type Results } from '../juggler/with-callback.ts'

// LB3: the methods that a persisted model shares, as far as its records are reached by them; lib/persisted-model.js.

const idArgument = { arg: 'id', type: 'any', required: true, http: { source: 'path' } }

const dataArgument = { arg: 'data', type: 'object', http: { source: 'body' } }

const record = { arg: 'data', type: 'object', root: true }

/** What a server with LoopBack's REST API answers for every persisted model. */
const sharedMethods: Readonly<Record<string, object>> = {
  create: { accepts: [dataArgument], returns: record, http: { verb: 'post', path: '/' } },
  find: {
    accepts: [{ arg: 'filter', type: 'object' }],
    returns: { arg: 'data', type: ['object'], root: true },
    http: { verb: 'get', path: '/' }
  },
  findById: {
    accepts: [idArgument, { arg: 'filter', type: 'object' }],
    returns: record,
    http: { verb: 'get', path: '/:id' }
  },
  count: {
    accepts: [{ arg: 'where', type: 'object' }],
    returns: { arg: 'count', type: 'number' },
    http: { verb: 'get', path: '/count' }
  },
  replaceById: { accepts: [idArgument, dataArgument], returns: record, http: { verb: 'post', path: '/:id/replace' } },
  deleteById: {
    aliases: ['destroyById', 'removeById'],
    accepts: [idArgument],
    returns: { arg: 'count', type: 'object', root: true },
    http: { verb: 'del', path: '/:id' }
  },
  'prototype.patchAttributes': {
    aliases: ['updateAttributes'],
    accepts: [dataArgument],
    returns: record,
    http: { verb: 'patch', path: '/' }
  }
}

/** True for a connector whose models are on another server: `loopback-connector-remote`. */
export function isRemote(driver: Driver): boolean {
  return methodOf(partOf(driver, 'remotes'), 'addClass') !== undefined && methodOf(driver, 'resolve') !== undefined
}

/**
 * Describes a model to its connector, which then has a function for each of its methods. strong-remoting's class of
 * descriptions is taken from the connector itself, so that the versions match.
 */
export function shareRemotely(driver: Driver, model: ModelType, facade: ModelFacade): void {
  Object.assign(facade, { http: { path: `/${model.httpPath}` }, sharedCtor: describeRecord() })
  const SharedClass = sharedClassFrom(partOf(driver, 'remotes'))
  if (SharedClass === undefined) return
  const shared: unknown = Reflect.construct(SharedClass, [model.name, facade, {}])
  Object.defineProperty(facade, 'sharedClass', { value: shared, configurable: true })
  describeMethods(facade, Object.entries({ ...sharedMethods, ...Object.fromEntries(model.methods.specs) }))
}

/** A description of the constructor of records, which are reached by their ids. */
const describeRecord = (): AnyFunction =>
  Object.assign((() => {}) as AnyFunction, { ...recordPath, http: [{ path: '/:id' }] }) // never called

const recordPath = {
  accepts: [{ arg: 'id', type: 'any', required: true, http: { source: 'path' } }],
  returns: { root: true }
}

/** Makes a description of nothing, to find out the class of descriptions. */
function sharedClassFrom(remotes: unknown): AnyFunction | undefined {
  const exported = partOf(remotes, 'exports')
  if (!isObject(exported)) return undefined
  Reflect.set(exported, probe, {})
  const classes = methodOf(remotes, 'classes')?.call(remotes)
  Reflect.deleteProperty(exported, probe)
  const all: readonly unknown[] = Array.isArray(classes) ? classes : []
  const found = all.find((each) => partOf(each, 'name') === probe)
  return methodOf(found, 'constructor')
}

const probe = 'modelwire-probe'

function describeMethods(facade: ModelFacade, specs: readonly (readonly [name: string, spec: object])[]): void {
  const shared = partOf(facade, 'sharedClass')
  const defineMethod = methodOf(shared, 'defineMethod')
  for (const [name, spec] of specs)
    defineMethod?.call(shared, shortName(name), { ...spec, isStatic: !isOfRecords(name) })
}

/** The model's own remote methods, which call those of the other server, as in LoopBack. */
export function remoteMethods(driver: Driver, model: ModelType, facade: ModelFacade): ConnectorMethods {
  const sharedNames = new Set(namesOfShared(facade))
  const added = [...model.methods.specs].filter(([name]) => !sharedNames.has(name))
  describeMethods(facade, added)
  if (added.length > 0) methodOf(driver, 'resolve')?.call(driver, facade)
  return Object.fromEntries([...model.methods.specs.keys()].map((name) => [name, { run: proxy(facade, name) }]))
}

function namesOfShared(facade: ModelFacade): readonly string[] {
  const shared = partOf(facade, 'sharedClass')
  const methods = methodOf(shared, 'methods')?.call(shared)
  if (!Array.isArray(methods)) return []
  return methods.map(
    (each) => `${partOf(each, 'isStatic') === true ? '' : 'prototype.'}${String(partOf(each, 'name'))}`
  )
}

function proxy(facade: ModelFacade, name: string): AnyFunction {
  const onRecord = isOfRecords(name)
  return function (this: unknown, ...args) {
    const fn = methodOf(onRecord ? partOf(facade, 'prototype') : facade, shortName(name))
    return fn?.apply(onRecord ? this : facade, args)
  }
}

/** Data access of a remote model as connector methods, which replace the collections of other connectors. */
export function remoteAccess(facadeOf: (model: string) => ModelFacade | undefined): Driver {
  const call = async (model: unknown, method: string, args: readonly unknown[], id?: unknown): Promise<Results> => {
    const facade = facadeOf(String(model))
    const owner = id === undefined ? facade : partOf(facade, 'prototype')
    const fn = methodOf(owner, method)
    if (fn === undefined) throw new TypeError(`the remote model ${String(model)} has no ${method}`)
    return callWithCallback(fn, id === undefined ? facade : { id }, args)
  }
  return {
    name: 'remote',
    all: (model: unknown, filter: unknown) => firstResult(call(model, 'find', [filter])),
    create: (model: unknown, data: unknown) => firstResult(call(model, 'create', [data])),
    updateAttributes: (model: unknown, id: unknown, data: unknown) =>
      firstResult(call(model, 'patchAttributes', [data], id)),
    replaceById: (model: unknown, id: unknown, data: unknown) => firstResult(call(model, 'replaceById', [id, data])),
    destroy: (model: unknown, id: unknown) => firstResult(call(model, 'deleteById', [id]))
  }
}
