import { asServer, serverCall } from '../access/call.ts'
import type { Call } from '../contract/call.ts'
import { restrictionFor } from '../access/restriction-for.ts'
import type { Id, Row } from '../contract/row.ts'
import type { Condition } from '../contract/condition.ts'
import { compileFilter, compileOptionalWhere } from '../filter/compile-filter.ts'
import { conditionUnderScope } from '../filter/default-scope.ts'
import { checkReadable, conditionWithin, filterWithin } from '../filter/restriction.ts'
import type { Restriction } from '../contract/restriction.ts'
import { stateOf } from '../contract/bare-model.ts'
import type { ModelInstance } from '../contract/model-instance.ts'
import type { ModelType } from '../contract/model-type.ts'
import { andThen, type Awaitable } from '../values/awaitable.ts'
import { keepsSome } from './accept-data.ts'
import { Records } from './records.ts'
import { refuseVersion, withinCallersVersion } from './version-within.ts'
import { collectionOf, whereId } from './identify.ts'

/** A write with its caller and what access control lets a client change; undefined: everything. */
export interface Write {
  readonly call: Call
  readonly restriction: Restriction | undefined
}

/** A write by one of the model's methods, as access rules call it. */
export function writeBy(model: ModelType, call: Call, method: string): Awaitable<Write> {
  refuseVersion(call, method)
  return andThen(restrictionFor(model, call, method), (restriction) => ({ call, restriction }))
}

/** The same for a method that changes one stored record, which code may make depend on its version. */
export function writeOneBy(model: ModelType, call: Call, method: string): Awaitable<Write> {
  return andThen(restrictionFor(model, call, method), (restriction) =>
    withinCallersVersion(model, { call, restriction })
  )
}

/** True where nothing of a write depends on who causes it: the short ways of writing are open. */
export const isFree = (model: ModelType, { call, restriction }: Write): boolean =>
  restriction === undefined && (call.client === undefined || call.isAccepted === true || !keepsSome(model, undefined))

/** True where a client writes, and LoopBack's gaps are not kept for it: every record is left as its rules demand. */
export const isNativeClient = ({ registry }: ModelType, { call }: Write): boolean =>
  call.client !== undefined && !registry.rules.updatesWithoutRules

/** What a client may change, as whole records: what is written is checked against all of what is stored. */
const wholeRecords = (restriction: Restriction): Restriction => ({ ...restriction, readable: undefined })

/**
 * The call of a step that reads the record which a write is about. One that the client may not change is denied there,
 * before its data is validated: errors of that would reveal what is stored.
 */
export function readingToWrite(model: ModelType, { call, restriction }: Write): Call {
  const reading = asServer(call)
  if (call.client === undefined || restriction?.condition === undefined) return reading
  return { ...reading, client: call.client, grant: { model, restriction: wholeRecords(restriction) } }
}

/**
 * The row of a record that is about to be replaced; undefined where there is none.
 * @throws the restriction's error for denied records: a client may change some of them alone, and this is none of these
 */
export async function storedToWrite(model: ModelType, key: Id, { restriction }: Write): Promise<Row | undefined> {
  if (restriction?.condition === undefined) return collectionOf(model, 'findById').findById(key)
  const only = compileFilter(model, { where: whereId(model, key), limit: 1 }, serverCall())
  const [row] = await collectionOf(model, 'find').find(filterWithin(wholeRecords(restriction), only))
  if (row === undefined) throw restriction.deny()
  return row
}

/**
 * Refuses a write whose record, as it would be stored, is not one that the client may leave behind. Call it after
 * `before save`, since observers may have set deciding properties.
 * @throws the restriction's error for denied records
 */
export async function checkAdmitted({ restriction }: Write, row: Row): Promise<void> {
  if (restriction?.admits !== undefined && !(await restriction.admits(row))) throw restriction.deny()
}

/**
 * The condition on the records that a write reaches.
 * @param trusted the call to compile `where` for: the write's own, where observers left it as the client wrote it
 */
export function reachedBy(
  model: ModelType,
  where: unknown,
  trusted: Call,
  { call, restriction }: Write
): Condition | undefined {
  const compiled = compileOptionalWhere(model, where, trusted)
  if (trusted === call) checkReadable(model, { where: compiled }, restriction)
  return conditionWithin(restriction, conditionUnderScope(model, compiled))
}

/**
 * The error for a record that a statement within a restriction did not find: it does not reveal whether the record
 * exists.
 */
export const notFoundError = ({ restriction }: Write, missing: () => Error): Error =>
  restriction?.condition === undefined ? missing() : restriction.deny()

/** Removes from the answer to a client's write what the client may not read. */
export function showAfter<Answer extends Records | ModelInstance>(
  model: ModelType,
  answer: Answer,
  { call }: Write,
  { row, sent }: { readonly row: Row; readonly sent: Row }
): Awaitable<Answer> {
  const { client } = call
  const { accessControl } = model.registry
  if (client === undefined || accessControl === undefined) return answer
  return andThen(accessControl.shownAfter({ client, model }, row, Object.keys(sent)), (readable) => {
    if (readable === undefined) return answer
    if (!(answer instanceof Records)) {
      stateOf(answer).readable = readable
      return answer
    }
    // A record that was found is replaced by one of the same kind.
    return answer.with({ readable }) as Answer
  })
}
