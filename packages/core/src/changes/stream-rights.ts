import { restrictionFor } from '../access/call.ts'
import type { Call } from '../contract/call.ts'
import { unlessRefused, isSecretField } from '@modelwire/server'
import type { Restriction, RowTest } from '../contract/access-control.ts'
import { modelsExtending } from '../model/model-lineage.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { ChangeEvent } from './change-event.ts'

/** The changes of one model that a reader may see. */
export interface Told {
  /** The test for visible records; undefined: all. */
  readonly test: RowTest | undefined
  readonly readable: ReadonlySet<string> | undefined
  /** The test depends on properties that logs omit: events from a log are not shown. */
  readonly readsSecrets: boolean
  /** Names of the properties that are the id. */
  readonly idNames: readonly string[]
}

/** Whether a reader may see an event. Changes of many records are omitted: they do not identify the records. */
export function isAbout(
  { data, removed, type, position }: ChangeEvent,
  { test, readsSecrets, idNames }: Told
): boolean {
  if (test === undefined) return true
  if (readsSecrets && position !== undefined) return false
  const [only, ...others] = type === 'remove' ? removed : [data]
  const isNamed = only !== undefined && idNames.every((name) => only[name] !== undefined)
  return isNamed && others.length === 0 && test.matches(only)
}

/** The changes of a model, and of those that extend it, that a client may see, by model name. */
export type StreamRights = ReadonlyMap<string, Told>

/**
 * The changes of a model, and of those that extend it, that a client may see, by each model's own rules. Undefined for
 * application code, and without access control.
 * @throws the error that access control refuses the client with: it may not follow the model itself
 */
export async function streamRights(model: ModelType, call: Call): Promise<StreamRights | undefined> {
  const { client } = call
  const { accessControl } = model.registry
  if (client === undefined || accessControl === undefined) return undefined
  const method = 'createChangeStream'
  const rights = new Map([[model.name, await changeRights(model, await restrictionFor(model, call, method))]])
  for (const derived of modelsExtending(model)) {
    const question = { client, model: derived, method, purpose: 'operation' } as const
    const restriction = await unlessRefused(() => accessControl.restrict(question), 'denied' as const)
    if (restriction !== 'denied') rights.set(derived.name, await changeRights(derived, restriction))
  }
  return rights
}

async function changeRights(model: ModelType, restriction: Restriction | undefined): Promise<Told> {
  const idNames = model.idProperty === undefined ? ['id'] : model.keyNames
  const test = await restriction?.testRows()
  const readsSecrets = [...(test?.properties ?? [])].some(isSecretField)
  return { test, readable: restriction?.readable, readsSecrets, idNames }
}

/** True where equal keys mean equal rights. */
export const hasExactKey = (rights: StreamRights | undefined): boolean =>
  [...(rights?.values() ?? [])].every(({ test }) => test === undefined || test.hasExactKey)

/** A string that changes when the rights change. */
export function keyOfRights(rights: StreamRights): string {
  return JSON.stringify(
    Array.from(rights, ([name, { test, readable }]) => [name, test?.key, readable && [...readable]])
  )
}
