import { Model, type OperationContext } from '@modelwire/core'
import { Records, registryOf, repository, stateOf, storesData, typeOf } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'

/** A record that a response shows, and the properties that its caller could read at that time. */
export interface ShownRecord {
  /** Its position in the JSON of the response. */
  readonly path: readonly string[]
  readonly model: string
  readonly id: unknown
  /** Names of properties; null: all. */
  readonly readable: readonly string[] | null
}

/** The records that a response shows; undefined if that is unknown. */
export type Shown = readonly ShownRecord[] | undefined

interface FoundRecord {
  readonly path: readonly string[]
  readonly record: Model
}

/** The records of a result that its JSON shows. */
function* recordsIn(value: unknown, json: unknown, path: readonly string[] = []): Generator<FoundRecord> {
  if (typeof value !== 'object' || value === null || typeof json !== 'object' || json === null) return
  if (value instanceof Records) {
    yield* recordsIn(value.single ? value.first() : value.instances(), json, path)
    return
  }
  const isRecord = value instanceof Model
  if (isRecord) yield { path, record: value }
  for (const [name, member] of Object.entries((isRecord ? stateOf(value).related : value) ?? {}))
    if (Object.hasOwn(json, name)) yield* recordsIn(member, (json as Record<string, unknown>)[name], [...path, name]) // its own, as was asked
}

/** What the caller may read of a record now, besides what it has sent; undefined: everything. */
async function readableNow(
  { client }: OperationContext,
  model: ModelType,
  { id, otherwise, sent = [] }: { id: unknown; otherwise?: Model; sent?: readonly string[] }
): Promise<ReadonlySet<string> | undefined> {
  const { accessControl } = model.registry
  if (client === undefined || accessControl === undefined) return undefined
  const key = id === undefined || id === null ? undefined : repository.toId(model, id)
  const readRow = async () => (key === undefined ? undefined : await repository.storedRow(model, key)) ?? otherwise
  return accessControl.shownAfter({ client, model }, readRow, sent)
}

/**
 * Describes what a response shows, so that it can be masked when it is repeated.
 * @param text its JSON; undefined: it is none
 */
export async function describeShown(context: OperationContext | null, text: string | undefined): Promise<Shown> {
  const isControlled = context !== null && registryOf(context.operation.model).accessControl !== undefined
  if (!isControlled || text === '') return []
  const { result } = context
  if (text === undefined) return typeof result === 'object' && result !== null ? undefined : []
  const shown: ShownRecord[] = []
  for (const { path, record } of recordsIn(result, JSON.parse(text))) {
    const model = typeOf(record)
    // What is embedded has no rules of its own.
    if (model.collection === undefined) continue
    const id = repository.idOf(model, record)
    const readable = await readableNow(context, model, { id, otherwise: record })
    shown.push({ path, model: model.name, id, readable: readable === undefined ? null : [...readable] })
  }
  return shown
}

/** The names of the properties that a request sent of the record at a path of its answer. */
function namesSent(body: unknown, path: readonly string[]): readonly string[] {
  const [first = '', ...below] = path
  const isItem = Array.isArray(body) && path.length > 0 && below.length === 0
  const sent: unknown = isItem ? body[Number(first)] : body
  return isPlainObject(sent) && (isItem || path.length === 0) ? Object.keys(sent) : []
}

/** The names of the properties of a record that its caller could read then, and may not read now. */
async function namesTaken(
  context: OperationContext,
  { path, model: name, id, readable }: ShownRecord,
  { json, body }: { json: object; body: unknown }
): Promise<readonly string[]> {
  const model = registryOf(context.operation.model).typeOf(name)
  const sent = storesData(context.operation.effect) ? namesSent(body, path) : []
  const now = await readableNow(context, model, { id, sent })
  if (now === undefined) return []
  const isKept = (key: string): boolean =>
    now.has(key) || readable?.includes(key) === false || model.relations.get(key)?.embeds === false
  return Object.keys(json).filter((key) => !isKept(key))
}

/** The part of an answer at a path; undefined where a record above it has been masked. */
const at = (json: unknown, path: readonly string[]): unknown =>
  path.reduce((value, name) => (Object(value) as Record<string, unknown>)[name], json)

/**
 * Removes from the JSON of a response what its caller may no longer read.
 * @param body of the request: its caller may see again what it has sent
 */
export async function maskShown(
  context: OperationContext,
  { text, body }: { readonly text: string; readonly body: unknown },
  shown: readonly ShownRecord[]
): Promise<string> {
  if (shown.length === 0) return text
  const whole: unknown = JSON.parse(text)
  let isMasked = false
  for (const each of shown) {
    const json = at(whole, each.path)
    if (!isPlainObject(json)) continue
    for (const name of await namesTaken(context, each, { json, body })) {
      delete json[name]
      isMasked = true
    }
  }
  return isMasked ? JSON.stringify(whole) : text
}
