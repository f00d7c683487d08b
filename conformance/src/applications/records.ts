import { pairOf, type Pair } from './pair.ts'
import type { Description } from './description.ts'
import { isObject } from '../is-object.ts'

/** A record that both sides hold. */
export interface KnownRecord {
  readonly id: Pair
  /** As LoopBack answered it. */
  readonly data: Readonly<Record<string, unknown>>
}

/** What was created so far: by model, and by `Model.relation` for what was created through a relation. */
export type Records = Map<string, KnownRecord[]>

/** Reads the body of an answer; undefined when it is not a JSON object. */
export function objectOf(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const json: unknown = JSON.parse(body)
    return isObject(json) ? json : undefined
  } catch {
    return undefined
  }
}

/** Remembers the record that both sides answered, when it has an id. */
export function remember(
  records: Records,
  key: string,
  idName: string,
  answers: { readonly loopback: string; readonly modelwire: string }
): void {
  const data = objectOf(answers.loopback)
  const id = data?.[idName]
  if (data === undefined || id === undefined || id === null) return
  const known = records.get(key) ?? []
  known.push({ id: pairOf(id, objectOf(answers.modelwire)?.[idName]), data })
  records.set(key, known)
}

/** Forgets a record that was destroyed, wherever it is known by the id that LoopBack gave it. */
export function forget(records: Records, keys: readonly string[], id: unknown): void {
  for (const key of keys) {
    const known = records.get(key)?.filter((one) => one.id.loopback !== id)
    if (known !== undefined) records.set(key, known)
  }
}

/** Takes over what LoopBack answered to a change of a known record. */
export function refresh(records: Records, key: string, idName: string, body: string): void {
  const data = objectOf(body)
  const known = records.get(key) ?? []
  const at = known.findIndex(({ id }) => id.loopback === data?.[idName])
  const { [at]: record } = known
  if (data !== undefined && record !== undefined) known[at] = { ...record, data }
}

/** A known record of a model, the last when there are fewer; undefined when there is none. */
export function knownRecord(records: Records, key: string, at = 0): KnownRecord | undefined {
  const known = records.get(key) ?? []
  return known[Math.min(at, known.length - 1)]
}

/** The pair of an id that LoopBack's answers hold as the value of a property; any other value as it is. */
export function asKnownId(records: Records, value: unknown): unknown {
  const known = [...records.values()].flat().find(({ id }) => id.loopback === value)
  return known === undefined ? value : known.id
}

const simple = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '')

/** The model whose name begins an argument such as `customerId`; undefined when none does. */
export function modelNamed(description: Description, argument: string): string | undefined {
  const wanted = argument.replace(/_?ids?$/i, '').toLowerCase()
  if (wanted === argument.toLowerCase() || wanted === '') return undefined
  return Object.keys(description.models).find((name) => simple(name) === wanted.replaceAll(/[_-]/g, ''))
}
