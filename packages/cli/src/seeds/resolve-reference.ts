import { isComposite, keyTextOf, type ModelType } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import { SeedFileInvalid, type SeedPlace, SeedReferenceAmbiguous, SeedReferenceMissing } from '../errors.ts'
import { isSame } from './report.ts'
import { modelNamed } from './read-records.ts'
import { isReference, type Reference, type SeedRun, unknownKey } from './seed-run.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Replaces references in a value of a seed by keys.
 * @param keyTo the property of the referred record that is wanted; its id when absent
 * @throws {SeedReferenceMissing} no record is like that
 * @throws {SeedReferenceAmbiguous} several are
 */
export async function resolveReferences(
  run: SeedRun,
  value: unknown,
  place: SeedPlace,
  keyTo?: string
): Promise<unknown> {
  if (Array.isArray(value)) return inTurn(value, async (item: unknown) => resolveReferences(run, item, place, keyTo))
  if (!isPlainObject(value)) return value
  if (isReference(value)) return keyOfReference(run, value, place, keyTo)
  return resolveMembers(run, value, place)
}

/** One after the other: what they read may be one transaction's. */
async function inTurn<In, Out>(list: readonly In[], work: (item: In) => Promise<Out>): Promise<Out[]> {
  const results: Out[] = []
  for (const item of list) results.push(await work(item))
  return results
}

async function resolveMembers(run: SeedRun, value: Fields, place: SeedPlace): Promise<Fields> {
  const members = await inTurn(
    Object.entries(value),
    async ([name, member]) => [name, await resolveReferences(run, member, place)] as const
  )
  return Object.fromEntries(members)
}

async function keyOfReference(
  run: SeedRun,
  { $ref, ...fields }: Reference,
  place: SeedPlace,
  keyTo: string | undefined
): Promise<unknown> {
  const model = modelNamed(run.registry, $ref, place)
  if (Object.keys(fields).length === 0)
    throw new SeedFileInvalid(`the reference to ${$ref} must name a property of the record`, place)
  const where = await resolveMembers(run, fields, place)
  const found = await findReferred(run, model, where, place)
  if (found === undefined) return unknownKey
  const isWhole = keyTo === undefined && isComposite(model)
  return isWhole ? keyTextOf(model, found) : found[keyTo ?? model.idProperty?.name ?? '']
}

/** The record; undefined where a dry run would create it. */
async function findReferred(
  run: SeedRun,
  model: ModelType,
  where: Fields,
  place: SeedPlace
): Promise<Fields | undefined> {
  const isPlanned = (run.planned.get(model.name) ?? []).some((row) => matches(row, where))
  const isUnknown = Object.values(where).includes(unknownKey)
  if (isPlanned) return undefined
  const isGone = run.dryRun && run.deleted.has(model.name)
  const found = isUnknown || isGone ? [] : await run.registry.get(model.name).find({ where, limit: 2 })
  const [first, second] = found
  const text = JSON.stringify(where)
  if (second !== undefined) throw new SeedReferenceAmbiguous(`several records of ${model.name} match ${text}`, place)
  if (first === undefined) throw new SeedReferenceMissing(`no record of ${model.name} matches ${text}`, place)
  return first
}

const matches = (row: Fields, where: Fields): boolean =>
  Object.entries(where).every(([name, value]) => row[name] === value || isSame(row[name], value))
