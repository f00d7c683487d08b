import type { ModelRegistry } from '@modelwire/core'
import { type ModelType, nameOfRecords } from '@modelwire/core/plugin'
import { isFunction, type ScriptFunction } from '../../callback-bridge.ts'
import { declareMethod } from '../model/declare-method.ts'

/** The properties that declare a function as a remote method. */
const keys = ['accepts', 'returns', 'http', 'description', 'notes', 'documented', 'accessType', 'errors'] as const

/** `loopback.remoteMethod(fn, options)`: marks a function of a model as a remote method. */
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

/** Declares the functions that scripts marked as remote methods by `shared`, which LoopBack finds on a model by themselves. */
export function declareMarkedMethods(registry: ModelRegistry): void {
  for (const model of registry.names().map((name) => registry.typeOf(name))) {
    declareMarked(model, model.modelClass, (name) => name)
    declareMarked(model, model.modelClass.prototype, nameOfRecords)
  }
}
