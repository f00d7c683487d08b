import { methodString, type Operation } from '@modelwire/core/plugin'
import { type ModelType, nameOfRecords, shortName } from '@modelwire/core/connector'
import { propertyConstructor } from '../definition/definition-view.ts'
import { isFunction, type ScriptFunction } from '../../callback-bridge.ts'
import { declareMethod } from '../definition/define-script-model.ts'
import type { ModelRegistry } from '@modelwire/core'

/** The properties that declare a function as a remote method. */
const keys = ['accepts', 'returns', 'http', 'description', 'notes', 'documented', 'accessType', 'errors'] as const

/** An argument or a result of a method, in LoopBack's terms. */
export interface SharedValue {
  readonly arg: string
  readonly type: unknown
  readonly required?: boolean
  readonly root?: boolean
  readonly description?: string
}

/** A remote method as scripts find it in `Model.sharedClass`. It can be read, and disabled with `shared = false`. */
export interface SharedMethod {
  /** Without `prototype.`. */
  readonly name: string
  readonly isStatic: boolean
  /** `Product.prototype.patchAttributes`. */
  readonly stringName: string
  readonly aliases: readonly string[]
  readonly accepts: readonly SharedValue[]
  readonly returns: readonly SharedValue[]
  /** One endpoint, or a list of several. */
  readonly http: unknown
  readonly description: string | undefined
  readonly documented: boolean
  readonly accessType: string
  readonly ctor: unknown
  readonly sharedClass: unknown
  shared: boolean
}

/** The owner of a method. */
export interface MethodOwner {
  readonly sharedClass: unknown
  readonly isShared: () => boolean
  readonly disable: () => void
}

/** The view of an operation for scripts. Frozen: the method cannot be changed through it. */
export function sharedMethod(operation: Operation, owner: MethodOwner): SharedMethod {
  const { name, onInstance, aliases, accepts, returns, endpoints, description, documented, accessType } = operation
  const http = endpoints.map(({ verb, path }) => ({
    verb: verb.toLowerCase(),
    path: onInstance ? path.replace(/^\/:id/, '') || '/' : path
  }))
  return Object.freeze({
    name: shortName(name),
    isStatic: !onInstance,
    stringName: methodString(operation),
    aliases,
    accepts: accepts.map(({ name: arg, type, required, description: text }) => ({
      ...valueView(arg, type, text),
      ...(required ? { required } : {})
    })),
    returns: returns.map(({ name: arg, type, root, description: text }) => ({
      ...valueView(arg, type, text),
      ...(root ? { root } : {})
    })),
    http: http.length === 1 ? http[0] : http,
    description,
    documented,
    accessType,
    ctor: operation.model.modelClass,
    sharedClass: owner.sharedClass,
    get shared() {
      return owner.isShared()
    },
    set shared(value: boolean) {
      if (!value) owner.disable()
    }
  })
}

function typeView(type: Operation['returns'][number]['type']): SharedValue['type'] {
  if (type.kind === 'stream') return 'ReadableStream'
  return type.kind === 'file' ? 'file' : propertyConstructor(type)
}

function valueView(
  arg: string,
  type: Operation['returns'][number]['type'],
  description: string | undefined
): SharedValue {
  const view = { arg, type: typeView(type) }
  return description === undefined ? view : { ...view, description }
}

/** Implements `loopback.remoteMethod(fn, options)`: marks a function of a model as a remote method. */
export function markRemote(fn: unknown, options: unknown = {}): void {
  const marked = Object.assign(Object(fn), { shared: true }, options) as { http?: unknown } // a function of a script
  marked.http ??= { verb: 'get' }
}

function specOf(fn: ScriptFunction): Record<string, unknown> {
  const read = keys.map((key) => [key, Reflect.get(fn, key) as unknown] as const)
  return Object.fromEntries(read.filter(([, value]) => value !== undefined))
}

function declareMarked(model: ModelType, target: object, nameOf: (name: string) => string): void {
  for (const name of Object.keys(target)) {
    const fn: unknown = Object.getOwnPropertyDescriptor(target, name)?.value
    const isMarked = isFunction(fn) && Reflect.get(fn, 'shared') === true
    if (isMarked && !model.methods.specs.has(nameOf(name))) declareMethod(model, nameOf(name), specOf(fn))
  }
}

/**
 * Declares the functions that scripts marked as remote methods with `shared`, which LoopBack finds on a model
 * automatically.
 */
export function declareMarkedMethods(registry: ModelRegistry): void {
  for (const model of registry.names().map((name) => registry.typeOf(name))) {
    declareMarked(model, model.modelClass, (name) => name)
    declareMarked(model, model.modelClass.prototype, nameOfRecords)
  }
}
