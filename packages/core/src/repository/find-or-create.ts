import { restrictionFor } from '../access/restriction-for.ts'
import type { Call } from '../contract/call.ts'
import { callOf } from '../access/call.ts'
import type { ModelInstance } from '../contract/model-instance.ts'
import type { ModelType } from '../contract/model-type.ts'
import { create, finishNew, insertRow, prepareNew } from './create.ts'
import { findOne, limitedToOne } from './find.ts'
import { insertOrFind } from './overtaken.ts'
import { withCompiledRead } from './read.ts'
import { takeLock } from './take-lock.ts'
import { rowOf } from './write.ts'
import { writeBy } from './write-within.ts'

/** What a call is made of: the arguments of `findOrCreate`. */
interface FindOrCreateRequest {
  readonly filter: unknown
  readonly data: unknown
  readonly call: Call
}

/**
 * The first record that matches `filter`, or a new one of `data`; true when it was created. Of several at once one
 * creates it, where its id or a unique value distinguishes them.
 * @throws {ValidationError} the new record breaks a rule
 */
export async function findOrCreate(
  model: ModelType,
  filter: unknown,
  data?: unknown,
  call: Call = callOf()
): Promise<[ModelInstance, boolean]> {
  const request = { filter, data, call }
  if (preparesFirst(model)) return prepareAndFind(model, request)
  const find = finder(model, request)
  const found = await find()
  if (found !== undefined) return [found, false]
  const made = await insertOrFind(model, async () => create(model, data, call, true), find)
  return 'inserted' in made ? [made.inserted, true] : [made.found, false]
}

const finder =
  (model: ModelType, { filter, call }: FindOrCreateRequest) =>
  async (): Promise<ModelInstance | undefined> =>
    (await findOne(model, filter, call)) ?? undefined

/** LB3: a connector that finds or creates by itself receives a record that is valid, whether it is needed or not. */
const preparesFirst = ({ registry, dataSource }: ModelType): boolean =>
  registry.rules.validatesBeforeFinding && dataSource?.connector.capabilities.findsOrCreates === true

/** @see LoopBack 3, loopback-datasource-juggler, lib/dao.js, findOrCreate: `access`, `before save`, the rules, `persist`, then the read */
async function prepareAndFind(
  model: ModelType,
  { filter, data, call: caller }: FindOrCreateRequest
): Promise<[ModelInstance, boolean]> {
  const { call, lock } = takeLock(model, caller)
  const write = await writeBy(model, caller, 'create')
  const restriction = await restrictionFor(model, call, 'findOne')
  return withCompiledRead(model, { filter: limitedToOne(filter), call, restriction, lock }, async (read) => {
    const draft = await prepareNew(model, data, write)
    const row = await rowOf(model, draft, write)
    const find = async (): Promise<ModelInstance | undefined> => (await read()).first()
    const found = await find()
    if (found !== undefined) return [found, false]
    const insert = async (): Promise<ModelInstance> => finishNew(model, draft, await insertRow(model, row), write, true)
    const made = await insertOrFind(model, insert, find)
    return 'inserted' in made ? [made.inserted, true] : [made.found, false]
  })
}
