import { asServer, restrictionFor, serverCall } from '../../access/call.ts'
import type { Call } from '../../contract/call.ts'
import type { Id, Row } from '../../contract/row.ts'
import type { Condition } from '../../contract/condition.ts'
import { compileFilter, compileOptionalWhere } from '../../filter/compile-filter.ts'
import { conditionUnderScope } from '../../filter/default-scope.ts'
import { checkReadable, conditionWithin, filterWithin } from '../../filter/restriction.ts'
import type { Restriction } from '../../contract/access-control.ts'
import { stateOf, type ModelInstance } from '../../contract/model-instance.ts'
import type { ModelType, OptimisticLocking } from '../../contract/model-type.ts'
import { keepsSome } from './accept-data.ts'
import { Records } from './records.ts'
import { collectionOf, idOf, isAbsentId, onlyId, onlyIds, toId, whereId } from './identify.ts'
import { InvalidArgument, PreconditionFailed, TooManyAffected } from '../../errors.ts'
import { splitTrusted } from '../../filter/trusted-where.ts'
import type { HookName } from '../../hooks/hook-table.ts'
import { andThen, type Awaitable, isPlainObject } from '@modelwire/server'

/** A write with its caller and what access control lets a client change; undefined: everything. */
export interface Write {
  readonly call: Call
  readonly restriction: Restriction | undefined
}

/** A write through one of the model's methods, as named in access rules. */
export async function writeBy(model: ModelType, call: Call, method: string): Promise<Write> {
  refuseVersion(call, method)
  return { call, restriction: await restrictionFor(model, call, method) }
}

/** The same for a method that changes one stored record, which code may make conditional on its version. */
export async function writeOneBy(model: ModelType, call: Call, method: string): Promise<Write> {
  return withinCallersVersion(model, { call, restriction: await restrictionFor(model, call, method) })
}

/** True if nothing in a write depends on its caller: shortcuts are available. */
export const isFree = (model: ModelType, { call, restriction }: Write): boolean =>
  restriction === undefined && (call.client === undefined || call.isAccepted === true || !keepsSome(model, undefined))

/** True for a client without LoopBack's gaps: every resulting record must satisfy its rules. */
export const isNativeClient = ({ registry }: ModelType, { call }: Write): boolean =>
  call.client !== undefined && !registry.rules.updatesWithoutRules

/** What a client may change, as whole records: what is written is checked against all of what is stored. */
const wholeRecords = (restriction: Restriction): Restriction => ({ ...restriction, readable: undefined })

/**
 * The call of a step that reads the record to be written. A record that the client may not change is denied there, before
 * its data is validated: validation errors would reveal what is stored.
 */
export function readingToWrite(model: ModelType, { call, restriction }: Write): Call {
  const reading = asServer(call)
  if (call.client === undefined || restriction?.condition === undefined) return reading
  return { ...reading, client: call.client, grant: { model, restriction: wholeRecords(restriction) } }
}

/**
 * The row of a record that is about to be replaced; undefined if there is none.
 * @throws the restriction's error for denied records: a client may change only some of them, and not this one
 */
export async function storedToWrite(model: ModelType, key: Id, { restriction }: Write): Promise<Row | undefined> {
  if (restriction?.condition === undefined) return collectionOf(model, 'findById').findById(key)
  const only = compileFilter(model, { where: whereId(model, key), limit: 1 }, serverCall())
  const [row] = await collectionOf(model, 'find').find(filterWithin(wholeRecords(restriction), only))
  if (row === undefined) throw restriction.deny()
  return row
}

/**
 * Denies a write whose resulting record is outside of what the client may store. Call it after `before save`, since
 * observers may have set deciding properties.
 * @param whole makes the row of the whole record
 * @throws the restriction's error for denied records
 */
export async function checkAdmitted({ restriction }: Write, whole: () => Row): Promise<void> {
  if (restriction?.admits !== undefined && !(await restriction.admits(whole()))) throw restriction.deny()
}

/**
 * The condition on the records that a write affects.
 * @param trusted the call to compile `where` for: the write's own, where observers left it as the client wrote it
 */
export function writeCondition(
  model: ModelType,
  where: unknown,
  trusted: Call,
  { call, restriction }: Write
): Condition | undefined {
  const compiled = compileOptionalWhere(model, where, trusted)
  if (trusted === call) checkReadable(model, { where: compiled }, restriction)
  return conditionWithin(restriction, conditionUnderScope(model, compiled))
}

/** The error for a record that a restricted statement did not find: it does not reveal whether the record exists. */
export const notFoundError = ({ restriction }: Write, missing: () => Error): Error =>
  restriction?.condition === undefined ? missing() : restriction.deny()

/** Removes from the response to a client's write what the client may not read. */
export function showAfter<Answer extends Records | ModelInstance>(
  model: ModelType,
  answer: Answer,
  { call: { client } }: Write,
  { row, sent }: { readonly row: Row; readonly sent: Row }
): Awaitable<Answer> {
  const { accessControl } = model.registry
  if (client === undefined || accessControl === undefined) return answer
  const shown = accessControl.shownAfter({ client, model }, () => row, Object.keys(sent))
  return andThen(shown, (readable) => showReadable(answer, readable))
}

function showReadable<Answer extends Records | ModelInstance>(
  answer: Answer,
  readable: ReadonlySet<string> | undefined
): Answer {
  if (readable === undefined) return answer
  if (!(answer instanceof Records)) {
    stateOf(answer).readable = readable
    return answer
  }
  // A record that was found is replaced by one of the same kind.
  return answer.with({ readable }) as Answer
}

/** The condition on the single record of a write, by its id and the rest of its key, within what the client may change. */
export function recordWithin(
  model: ModelType,
  { id, rest }: { readonly id: unknown; readonly rest: Row },
  { restriction }: Write
): Condition {
  const only = onlyId(model, id, rest)
  return conditionWithin(restriction, only) ?? only
}

/**
 * Denies a record that a client may not see, with the same message as for one that does not exist.
 * @param id as the client wrote it
 * @throws the restriction's error for denied records
 */
export async function checkWithin(model: ModelType, id: unknown, restriction: Restriction | undefined): Promise<void> {
  if (restriction?.condition === undefined) return
  const key = isAbsentId(id) ? undefined : toId(model, id)
  if (key === undefined) throw restriction.deny()
  const wanted = conditionUnderScope(model, onlyId(model, key))
  if ((await collectionOf(model, 'count').count(conditionWithin(restriction, wanted))) === 0) throw restriction.deny()
}

/**
 * The first of some records in the model's scope that a client may see; undefined if there are none.
 * @throws the restriction's error for denied records: there are none that it may see
 */
export async function firstWithin(
  model: ModelType,
  records: readonly ModelInstance[],
  restriction: Restriction | undefined
): Promise<ModelInstance | undefined> {
  if (restriction?.condition === undefined) return records[0]
  const where = conditionWithin(
    restriction,
    onlyIds(
      model,
      records.map((record) => idOf(model, record))
    )
  )
  const fields = new Set(model.keyNames)
  const rows = records.length === 0 ? [] : await collectionOf(model, 'find').find({ where, order: [], skip: 0, fields })
  const seen = new Set(rows.map((row) => String(idOf(model, row))))
  const first = records.find((record) => seen.has(String(idOf(model, record))))
  if (first === undefined) throw restriction.deny()
  return first
}

/**
 * Refuses a change of many that would affect more records than its caller allows. They are counted first: concurrent writes
 * are only excluded if the call is part of a transaction that does not see them.
 * @throws {TooManyAffected} nothing is changed
 */
export async function checkAffected(model: ModelType, where: Condition | undefined, call: Call): Promise<void> {
  const { maxAffected } = call
  if (maxAffected === undefined) return
  const count = await collectionOf(model, 'count').count(where, call)
  if (count > maxAffected)
    throw new TooManyAffected(`${count} records of ${model.name} match, and at most ${maxAffected} may be affected`)
}

const changed = (model: ModelType): PreconditionFailed =>
  new PreconditionFailed(`the ${model.name} has changed since it was read`)

/** What code may change: everything. */
const everything = (model: ModelType): Restriction => ({
  condition: undefined,
  readable: undefined,
  writable: undefined,
  asWhere: () => undefined,
  matches: () => true,
  testRows: () => undefined,
  deny: () => changed(model),
  denyProperty: (message) => new InvalidArgument(message)
})

/**
 * A restriction to records of one version, as part of every statement of a write: it either changes the record as it was
 * seen, or nothing, and then fails with {@link PreconditionFailed}.
 */
export function withinVersion(
  model: ModelType,
  { property }: OptimisticLocking,
  version: unknown,
  restriction = everything(model)
): Restriction {
  const isVersion = {
    kind: 'test',
    path: [property],
    type: { kind: 'string' },
    test: 'equals',
    value: version
  } as const
  return {
    ...restriction,
    condition: conditionWithin(restriction, isVersion),
    matches: (row: Row) => row[property] === version && restriction.matches(row),
    deny: () => changed(model)
  }
}

/**
 * A write of one record, restricted to the version in code's option `ifVersion`. Its call does not have the option, since
 * writes of observers concern other records.
 * @throws {InvalidArgument} records of the model have no version, or the version is not a string
 */
export function withinCallersVersion(model: ModelType, write: Write): Write {
  const { ifVersion, ...options } = write.call.options
  if (ifVersion === undefined) return write
  const { optimisticLocking } = model
  if (optimisticLocking === undefined)
    throw new InvalidArgument(`ifVersion: ${model.name} does not set optimisticLocking`)
  if (typeof ifVersion !== 'string') throw new InvalidArgument('ifVersion must be a version, which is a string')
  const restriction = withinVersion(model, optimisticLocking, ifVersion, write.restriction)
  return { ...write, call: { ...write.call, options }, restriction }
}

/** @throws {InvalidArgument} the option `ifVersion` is set, for a write that is not about one stored record */
export function refuseVersion(call: Call, method: string): void {
  if (call.options['ifVersion'] !== undefined)
    throw new InvalidArgument(`ifVersion: ${method} does not address a single stored record`)
}

/**
 * Checks a client's filter before observers of `hooks` change it: they may use hidden properties, as when they narrow a
 * query to one tenant, and a client must not.
 * @param restriction of the client: properties that it hides must not be named either
 * @returns the call to compile the query for, once the observers are through
 */
export function assertClientQuery(
  model: ModelType,
  hooks: readonly HookName[],
  query: unknown,
  call: Call,
  restriction?: Restriction
): Call {
  if (!hooks.some((hook) => model.hooks.has(hook))) return call
  checkReadable(model, compileFilter(model, query, call), restriction)
  // Observers see the keys that the server added as plain conditions, and everybody's are compared as these have to be.
  const { trusted } = splitTrusted(isPlainObject(query) ? query['where'] : undefined)
  return call.byServer === true || trusted.length > 0 ? serverCall() : { options: {} }
}
