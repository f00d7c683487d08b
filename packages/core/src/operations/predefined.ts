import type { Effect } from './effect.ts'
import { type AccessType, type Operation, operationsOf, operationSourcesOf } from './operation.ts'
import { lineageOf } from '../model/model-lineage.ts'
import type { ModelType } from '../contract/model-type.ts'
import { compileMethod } from './compile-method.ts'
import { isOfRecords, type NamedMethod, namesOf, shortName } from '../definition/method-table.ts'
import type { SharedMethods } from './is-shared.ts'

/** The fixed facts of a method that every model with data access has: its names, and its effect. */
export interface PredefinedMethod {
  readonly aliases: readonly string[]
  /** False for one without routes unless `sharedMethods` names it. */
  readonly sharedByDefault?: boolean
  readonly effect: Effect
  readonly accessType: AccessType
}

const reading = (effect: Effect, aliases: readonly string[] = []): PredefinedMethod => ({
  effect,
  aliases,
  accessType: 'READ'
})
const writing = (effect: Effect, aliases: readonly string[] = []): PredefinedMethod => ({
  effect,
  aliases,
  accessType: 'WRITE'
})

/**
 * The methods of models with data access by the names that access rules use. `destroyAll` has no route unless `sharedMethods`
 * names it.
 * @see tables/persisted-model.json of the conformance data; LoopBack 3: loopback, lib/persisted-model.js
 */
export const predefinedMethods = {
  find: reading({ verb: 'find', subject: 'set', condition: 'filter' }),
  findOne: reading({ verb: 'find', subject: 'set', condition: 'filter' }),
  findById: reading({ verb: 'find', subject: 'record', idIn: 'path' }),
  exists: reading({ verb: 'count', subject: 'record', idIn: 'path' }),
  count: reading({ verb: 'count', subject: 'set', condition: 'where' }),
  aggregate: reading({ verb: 'aggregate', subject: 'set', condition: 'filter' }),
  createChangeStream: reading({ verb: 'stream', subject: 'set', condition: 'options' }),
  create: writing({ verb: 'create', subject: 'record' }),
  patchOrCreate: writing({ verb: 'upsert', subject: 'record', idIn: 'body' }, ['upsert', 'updateOrCreate']),
  replaceOrCreate: writing({ verb: 'upsert', subject: 'record', idIn: 'body', whole: true }),
  upsertWithWhere: writing({ verb: 'upsert', subject: 'set', condition: 'where' }, ['patchOrCreateWithWhere']),
  replaceById: writing({ verb: 'replace', subject: 'record', idIn: 'path' }),
  'prototype.patchAttributes': writing({ verb: 'patch', subject: 'record', idIn: 'path' }, ['updateAttributes']),
  updateAll: writing({ verb: 'patch', subject: 'set', condition: 'where' }, ['update']),
  deleteById: writing({ verb: 'delete', subject: 'record', idIn: 'path' }, ['destroyById', 'removeById']),
  destroyAll: {
    ...writing({ verb: 'delete', subject: 'set', condition: 'where' }, ['deleteAll', 'remove']),
    sharedByDefault: false
  }
} as const satisfies Readonly<Record<string, PredefinedMethod>>

/** The name of a predefined method. */
export type PredefinedName = keyof typeof predefinedMethods

function declaredMethods(model: ModelType): readonly NamedMethod[] {
  return lineageOf(model).flatMap((type) => [
    ...Array.from(type.methods.specs, ([name, spec]) => compileMethod(model, name, spec)),
    ...operationsOf(type)
  ])
}

function predefined({ persisted }: ModelType): readonly NamedMethod[] {
  if (!persisted) return []
  return Object.entries(predefinedMethods).map(([name, { aliases }]) => ({
    name,
    aliases,
    onInstance: isOfRecords(name)
  }))
}

/**
 * The names of all methods of a model, each mapped to the name that counts: aliases map to it. Includes disabled methods.
 * Call it once all relations and methods are declared.
 */
export function methodNames(model: ModelType): ReadonlyMap<string, string> {
  const names = new Map([...model.methods.disabled].map((name) => [name, name]))
  const added = operationSourcesOf(model.registry).flatMap((source) => source(model))
  for (const method of [...predefined(model), ...declaredMethods(model), ...added]) {
    const [own = '', ...aliases] = namesOf(method)
    for (const alias of aliases) names.set(alias, own)
    names.set(own, own)
  }
  return names
}

/** Every name that means an operation, each with the operation's own: aliases, and names of methods of records without `prototype.`. */
function meaningsOf(operations: readonly Operation[]): ReadonlyMap<string, string> {
  const aliases = operations.flatMap((operation) => namesOf(operation).map((name) => [name, operation.name] as const))
  const bare = aliases.map(([name, own]) => [shortName(name), own] as const)
  // The last one counts: an own name more than an alias, and both more than a name without its prefix.
  return new Map([...bare, ...aliases, ...operations.map(({ name }) => [name, name] as const)])
}

/**
 * A `sharedMethods` setting in which aliases and names such as `__get__reviews` are replaced by the operations' own names;
 * if several refer to one operation, its own name counts, then one that disables it. Unknown names are omitted.
 */
export function inOwnNames(setting: SharedMethods, operations: readonly Operation[]): SharedMethods {
  const meanings = meaningsOf(operations)
  const result: Record<string, boolean> = {}
  for (const [name, shared] of Object.entries(setting)) {
    const own = name.includes('*') ? name : meanings.get(name)
    if (own !== undefined) result[own] = setting[own] ?? (result[own] !== false && shared)
  }
  return result
}
