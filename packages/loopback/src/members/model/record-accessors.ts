import type { Model } from '@modelwire/core'
import { isFunction, type ScriptFunction } from '../../callback-bridge.ts'

type Functions = Record<string, unknown>

/** The contents of `getter` and `setter` of a class; a class that extends it has its own. */
interface Accessors {
  readonly getter: Functions
  readonly setter: Functions
}

const accessors = new WeakMap<object, Accessors>()

/** The values of properties that have a getter or a setter, by record. */
const values = new WeakMap<object, Record<string, unknown>>()

/** An object that notices what is put into it. */
function watched(onSet: () => void): Functions {
  return new Proxy<Functions>(
    {},
    {
      defineProperty: (target, key, descriptor) => {
        onSet()
        return Reflect.defineProperty(target, key, descriptor)
      }
    }
  )
}

/**
 * `Model.getter` and `Model.setter`: functions that replace reading and setting a property of a record.
 * @see LoopBack 3: loopback-datasource-juggler, lib/model-builder.js, registerProperty
 */
export function accessorsOf(model: typeof Model): Accessors {
  const cached = accessors.get(model)
  if (cached !== undefined) return cached
  const onSet = (): void => model.modelType.hooks.requireInstances()
  const made = { getter: watched(onSet), setter: watched(onSet) }
  accessors.set(model, made)
  return made
}

function functionIn(functions: Functions, name: string): ScriptFunction | undefined {
  const found = functions[name]
  return isFunction(found) ? found : undefined
}

/** Reads a record's property without its getter. */
export function readRaw(record: object, name: string | symbol): unknown {
  const own = values.get(record)
  return own !== undefined && typeof name === 'string' && name in own ? own[name] : Reflect.get(record, name)
}

/** Sets a record's property without its setter. */
export function writeRaw(record: object, name: string | symbol, value: unknown): boolean {
  const own = values.get(record)
  if (own === undefined || typeof name !== 'string' || !(name in own)) return Reflect.set(record, name, value)
  own[name] = value
  return true
}

/** Replaces a record's properties by accessors, and sets its initial data with their setters. */
export function addAccessors(record: Model, data: unknown): void {
  const model = record.constructor as typeof Model // records are made by their class
  addRawMembers(model)
  const cached = accessors.get(model)
  if (cached === undefined) return
  const { byName } = model.modelType
  const names = new Set(
    [...Object.keys(cached.getter), ...Object.keys(cached.setter)].filter((name) => byName.has(name))
  )
  if (names.size === 0) return
  const raw: Record<string, unknown> = {}
  for (const name of names) raw[name] = Reflect.get(record, name)
  values.set(record, raw)
  for (const name of names) Object.defineProperty(record, name, accessorOf(name, cached, raw))
  if (record.isNewRecord()) callSetters(record, cached.setter, data)
}

function accessorOf(name: string, { getter, setter }: Accessors, raw: Record<string, unknown>): PropertyDescriptor {
  return {
    enumerable: true,
    configurable: true,
    get(this: object) {
      const get = functionIn(getter, name)
      return get === undefined ? raw[name] : get.call(this)
    },
    set(this: object, value: unknown) {
      // Core converts what a record holds, and sets it again.
      if (Object.is(value, Reflect.get(this, name))) return
      const set = functionIn(setter, name)
      if (set === undefined) raw[name] = value
      else set.call(this, value)
    }
  }
}

/** LB3: a setter receives the caller's value unchanged; defaults are not set by it. */
function callSetters(record: Model, setters: Functions, data: unknown): void {
  const input = typeof data === 'object' && data !== null ? data : {}
  const raw = values.get(record) ?? {}
  for (const [name, value] of Object.entries(input)) {
    const set = name in raw ? functionIn(setters, name) : undefined
    if (set === undefined) continue
    raw[name] = undefined
    set.call(record, value)
  }
}

const withRawMembers = new WeakSet<object>()

/** `record.$name`: each property without its getter and its setter. */
function addRawMembers(model: typeof Model): void {
  if (withRawMembers.has(model)) return
  withRawMembers.add(model)
  for (const name of model.modelType.byName.keys()) {
    if (`$${name}` in model.prototype) continue
    Object.defineProperty(model.prototype, `$${name}`, {
      configurable: true,
      get(this: object) {
        return readRaw(this, name)
      },
      set(this: object, value: unknown) {
        writeRaw(this, name, value)
      }
    })
  }
}
