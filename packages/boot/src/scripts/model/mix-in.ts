import { ScriptArgumentInvalid } from '@modelwire/loopback-express'
import type { Model } from '@modelwire/core'
import { isPlainObject, typeOfClass } from '@modelwire/core/plugin'
import { oldHookNames } from './old-hooks.ts'
import { applyNamedMixin } from './named-mixins.ts'

/** What is copied, and whether it replaces what is there. */
interface MixInOptions {
  readonly staticProperties?: boolean
  readonly instanceProperties?: boolean
  readonly override?: boolean
}

function copyMembers(source: object, target: object, override: boolean): void {
  for (const name of Object.keys(source)) {
    const descriptor = Object.getOwnPropertyDescriptor(source, name)
    if (descriptor !== undefined && (override || !Object.hasOwn(target, name)))
      Object.defineProperty(target, name, descriptor)
  }
}

/**
 * `Model.mixin(name, options)` applies a mixin of the application; `Model.mixin(Class, options)` copies the members of a class, or of
 * an object, that the model has not, and the properties of a model.
 * @throws {UnknownMixin} no mixin has this name
 * @throws {ScriptArgumentInvalid} it is neither a name nor something that has members
 * @see LoopBack 3: loopback-datasource-juggler, lib/jutil.js, mixin
 */
export function mixIn(model: typeof Model, source: unknown, options: unknown): unknown {
  if (typeof source === 'string') return applyNamedMixin(model.modelType, source, options)
  if ((typeof source !== 'object' && typeof source !== 'function') || source === null)
    throw new ScriptArgumentInvalid('mixin needs the name of a mixin, a class or an object', { model: model.modelName })
  const rawOptions: MixInOptions = isPlainObject(options) ? options : {}
  copyProperties(model, source)
  if (rawOptions.staticProperties !== false) copyMembers(source, model, rawOptions.override === true)
  const prototype: unknown = 'prototype' in source ? source.prototype : undefined
  if (rawOptions.instanceProperties !== false && typeof prototype === 'object' && prototype !== null)
    copyMembers(prototype, model.prototype, rawOptions.override === true)
  if (oldHookNames.some((name) => Object.hasOwn(model, name))) model.modelType.hooks.requireInstances()
  return model
}

function copyProperties({ modelType }: typeof Model, source: object): void {
  const properties = typeOfClass(source)?.definition.properties ?? {}
  for (const [name, property] of Object.entries(properties))
    if (!modelType.byName.has(name)) modelType.registry.defineProperty(modelType, name, property)
}
