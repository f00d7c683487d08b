import { restrictionFor } from '../access/restriction-for.ts'
import type { Call } from '../contract/call.ts'
import { unlessRefused } from '../caller/unless-refused.ts'
import type { Restriction, RowTest } from '../contract/restriction.ts'
import { isSecretField } from '../logging/secret-names.ts'
import { modelsExtending } from '../model/model-lineage.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { ChangeEvent } from './change-event.ts'

/** Which changes of one model a reader may see. */
export interface Told {
  /** Which records; undefined: all. */
  readonly test: RowTest | undefined
  readonly readable: ReadonlySet<string> | undefined
  /** The test reads what logs leave out: of what a log tells, nothing is shown. */
  readonly readsSecrets: boolean
  /** Name of the property by which a record is known. */
  readonly idName: string
}

/** Whether a reader may see an event. Changes of many records are left out: they do not name the records. */
export function isAbout({ data, removed, type, position }: ChangeEvent, { test, readsSecrets, idName }: Told): boolean {
  if (test === undefined) return true
  if (readsSecrets && position !== undefined) return false
  const [only, ...others] = type === 'remove' ? removed : [data]
  return only?.[idName] !== undefined && others.length === 0 && test.matches(only)
}

/** Which changes of a model, and of those that extend it, a client may see, by model name. */
export type StreamRights = ReadonlyMap<string, Told>

/**
 * Which changes of a model, and of those that extend it, a client may see: each model's own rules decide. Undefined for
 * code of the application, and where there is no access control.
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
  const idName = model.idProperty?.name ?? 'id'
  const test = await restriction?.testRows()
  const readsSecrets = [...(test?.properties ?? [])].some(isSecretField)
  return { test, readable: restriction?.readable, readsSecrets, idName }
}

/** A text that is another one when rights are others. */
export function keyOfRights(rights: StreamRights | undefined): string {
  return JSON.stringify(
    Array.from(rights ?? [], ([name, { test, readable }]) => [name, test?.key, readable && [...readable]])
  )
}
