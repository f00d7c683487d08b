import {
  compileMethod,
  inOwnNames,
  isShared,
  lineageOf,
  type ModelType,
  type Operation,
  type SharedMethods,
  operationsOf,
  operationSourcesOf
} from '@modelwire/core/plugin'
import { crudOperations } from './crud-operations.ts'
import { respectOverrides } from './respect-overrides.ts'
import { loadById } from './load-by-id.ts'

/** LB3: a model has the remote methods that definitions of its bases declare, and not those that code declares of them. */
const isInherited = ({ registry, definition }: ModelType, name: string): boolean =>
  !registry.rules.inheritsDefinedMethods || Object.hasOwn(definition.methods ?? {}, name)

/** Remote methods of the bases first, so that a model's own of the same name replaces them. */
function declaredMethods(model: ModelType): Operation[] {
  const specs = new Map<string, Record<string, unknown>>()
  const chain = lineageOf(model).toReversed()
  for (const type of chain) {
    const shared = [...type.methods.specs].filter(([name]) => type === model || isInherited(type, name))
    for (const [name, spec] of shared) specs.set(name, spec)
  }
  const compiled = [...specs].map(([name, spec]) => withLoader(model, compileMethod(model, name, spec)))
  return [
    ...compiled,
    ...chain.flatMap((type) => operationsOf(type).map((operation) => withLoader(model, { ...operation, model })))
  ]
}

/** Gives a method of an instance the way to load it, unless it brings its own. */
const withLoader = (model: ModelType, operation: Operation): Operation =>
  operation.onInstance ? { loadInstance: loadById(model), ...operation } : operation

/**
 * All operations of a model that are reachable, in mount order: its own methods before the predefined ones.
 * LB3: those of relations, predefined ones, its own; strong-remoting, lib/shared-class.js, methods
 */
export function listOperations(model: ModelType, globalSharing: SharedMethods | undefined): Operation[] {
  const sources = operationSourcesOf(model.registry)
  const added = sources.flatMap((source) => source(model)).map((operation) => withLoader(model, operation))
  const predefined = model.persisted ? crudOperations(model).map((operation) => respectOverrides(model, operation)) : []
  const own = declaredMethods(model)
  const replaced = new Set(own.map((operation) => operation.name))
  const kept = predefined.filter((operation) => !replaced.has(operation.name))
  const { rules } = model.registry
  const all = rules.mountsOwnMethodsLast ? [...added, ...kept, ...own] : [...own, ...kept, ...added]
  const { disabled } = model.methods
  const settings = [globalSharing, model.definition.remoting?.sharedMethods].filter((one) => one !== undefined)
  // LB3: settings know own names and patterns alone; pinned by exposure/aliased.
  const named = rules.ignoresSharedAliases ? settings : settings.map((setting) => inOwnNames(setting, all))
  return all.filter((operation) => isShared(operation, disabled, ...named))
}
