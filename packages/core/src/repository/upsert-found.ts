import type { Row } from '../contract/row.ts'
import { compileFilter } from '../filter/compile-filter.ts'
import type { Filter } from '../contract/condition.ts'
import { underScope } from '../filter/default-scope.ts'
import { checkReadable, filterWithin } from '../filter/restriction.ts'
import type { ModelInstance } from '../contract/model-instance.ts'
import type { ModelType } from '../contract/model-type.ts'
import { announceWhere } from './announce.ts'
import { assertClientQuery } from './assert-client-query.ts'
import { completeRow } from './complete-row.ts'
import { createBy } from './create.ts'
import { findAnnounced, findMatching } from './find-matching.ts'
import { withoutId } from './identify.ts'
import { insertOnce, type Overtaken } from './overtaken.ts'
import { resolveChangingWhere } from './resolve-related.ts'
import { toInstance } from './to-instance.ts'
import { patchInstanceBy } from './update.ts'
import type { Write } from './write-within.ts'

/** LB3: only where the connector upserts by itself is the data a record of its own; lib/dao.js, upsertWithWhere */
export const findsFirst = ({ registry, dataSource }: ModelType): boolean =>
  registry.rules.patchesWhatMatches && dataSource?.connector.capabilities.upsertsWithWhere !== true

const change = (model: ModelType, row: Row, input: Row, write: Write): Promise<ModelInstance> =>
  patchInstanceBy(model, toInstance(model, completeRow(model, row)), input, write)

/**
 * LB3: the record that matches is patched as by its id, else one is created, each with its own hooks, rules and answer.
 * @throws {SeveralMatches} more than one record matches
 */
export async function upsertFound(model: ModelType, where: object, input: Row, write: Write): Promise<ModelInstance> {
  const reading = await matchingFilter(model, where, write, {})
  const find = async (): Promise<Row | undefined> => findMatching(model, reading)
  const current = await find()
  if (current !== undefined) return change(model, current, input, write)
  const made = await insertOnce(model, where, async () => createBy(model, input, write), find)
  return 'inserted' in made ? made.inserted : change(model, made.found, input, write)
}

/**
 * LB3: where observers of `access` change which record is meant, it is looked for, and changed or created in full. A new one has
 * an id of its own: the one that was sent may be that of a record which the observers hide.
 */
export async function upsertMatching(
  model: ModelType,
  where: unknown,
  input: Row,
  write: Write
): Promise<ModelInstance> {
  const made = await findOrInsert(model, where, input, write)
  return 'inserted' in made ? made.inserted : change(model, made.found, input, write)
}

/** The record that observers of `access` mean, or the new one that there is now. */
export async function findOrInsert(
  model: ModelType,
  where: unknown,
  input: Row,
  write: Write
): Promise<Overtaken<ModelInstance, Row>> {
  const find = async (): Promise<Row | undefined> => findAnnounced(model, where, write)
  const found = await find()
  if (found !== undefined) return { found }
  return insertOnce(model, where, async () => createBy(model, withoutId(model, input), write), find)
}

/** Finds up to two records that match, within what the client may change. */
export async function matchingFilter(
  model: ModelType,
  where: unknown,
  { call, restriction }: Write,
  hookState: Record<string, unknown>
): Promise<Filter> {
  const resolved = await resolveChangingWhere(model, where, call)
  const trusted = assertClientQuery(model, ['access'], { where: resolved }, call, restriction)
  const wire = await announceWhere(model, resolved, call, hookState)
  const filter = compileFilter(model, { where: wire }, trusted)
  if (trusted === call) checkReadable(model, filter, restriction)
  return { ...filterWithin(restriction, underScope(model, filter)), fields: undefined, limit: 2 }
}
