import { restrictionFor } from '../access/restriction-for.ts'
import type { Call } from '../contract/call.ts'
import { callOf } from '../access/call.ts'
import type { ModelInstance } from '../contract/model-instance.ts'
import type { ModelType } from '../contract/model-type.ts'
import { isPlainObject } from '../values/clone-plain.ts'
import { create, finishNew, insertRow, prepareNew } from './create.ts'
import { limitedToOne } from './find.ts'
import { insertOnce } from './overtaken.ts'
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
 * The first record that matches `filter`, or a new one of `data`; true when it was created. Of several with one filter at once
 * one creates it.
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
  return withRead(model, request, async (read) => {
    const found = await read()
    if (found !== undefined) return [found, false]
    return storeOnce(model, filter, async () => create(model, data, call, true), read)
  })
}

/** Reads the first record that matches, as observers of `access` leave the filter, as often as that is necessary. */
async function withRead<Result>(
  model: ModelType,
  { filter, call: caller }: FindOrCreateRequest,
  use: (read: () => Promise<ModelInstance | undefined>) => Promise<Result>
): Promise<Result> {
  const { call, lock } = takeLock(model, caller)
  const restriction = await restrictionFor(model, call, 'findOne')
  return withCompiledRead(model, { filter: limitedToOne(filter), call, restriction, lock }, async (read) =>
    use(async () => (await read()).first())
  )
}

async function storeOnce(
  model: ModelType,
  filter: unknown,
  insert: () => Promise<ModelInstance>,
  find: () => Promise<ModelInstance | undefined>
): Promise<[ModelInstance, boolean]> {
  const where = isPlainObject(filter) ? filter['where'] : undefined
  const made = await insertOnce(model, where ?? {}, insert, find)
  return 'inserted' in made ? [made.inserted, true] : [made.found, false]
}

/** LB3: a connector that finds or creates by itself receives a record that is valid, whether it is needed or not. */
const preparesFirst = ({ registry, dataSource }: ModelType): boolean =>
  registry.rules.validatesBeforeFinding && dataSource?.connector.capabilities.findsOrCreates === true

/** @see LoopBack 3, loopback-datasource-juggler, lib/dao.js, findOrCreate: `access`, `before save`, the rules, `persist`, then the read */
async function prepareAndFind(model: ModelType, request: FindOrCreateRequest): Promise<[ModelInstance, boolean]> {
  const write = await writeBy(model, request.call, 'create')
  return withRead(model, request, async (find) => {
    const draft = await prepareNew(model, request.data, write)
    const row = await rowOf(model, draft, write)
    const found = await find()
    if (found !== undefined) return [found, false]
    const insert = async (): Promise<ModelInstance> => finishNew(model, draft, await insertRow(model, row), write, true)
    return storeOnce(model, request.filter, insert, find)
  })
}
