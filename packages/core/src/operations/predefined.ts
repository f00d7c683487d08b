import type { Effect } from './effect.ts'
import type { AccessType } from './operation.ts'

/** What is fixed of a method that every model with data access has: its names, and what it does. */
export interface PredefinedMethod {
  readonly aliases: readonly string[]
  /** False for one that has no routes until `sharedMethods` names it. */
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

const byEffect = new Map<string, PredefinedName>()
for (const [name, { effect }] of Object.entries(predefinedMethods)) {
  const key = `${effect.verb} ${effect.subject}`
  // The keys of the table are its names; of several methods that do the same the first is the canonical one.
  if (!byEffect.has(key)) byEffect.set(key, name as PredefinedName)
}

/**
 * The predefined method that does to records of a model by themselves what an operation of a relation does to related ones.
 * Joining existing records shows them, and changes none of them.
 */
export function standingMethod({ verb, subject }: Effect): PredefinedName | undefined {
  if (verb === 'link' || verb === 'unlink') return 'findById'
  return byEffect.get(`${verb} ${subject}`)
}
