import type { ModelType } from '@modelwire/core/connector'
import { SeedReferenceMissing, type SeedPlace } from '../errors.ts'
import { propertyUnder, relationUnder, type SeedRecord } from './report.ts'
import { isReference, referredModels, type SeedRun } from './seed-run.ts'
import { resolveReferences } from './resolve-reference.ts'

/** A seed in storable form. */
export interface ResolvedSeed {
  /** With keys instead of references. */
  readonly data: Readonly<Record<string, unknown>>
  /** Names of what is set once all records are stored. */
  readonly waiting: readonly string[]
}

/** The location of a seed, or of one of its properties. */
export const placeOf = ({ file, index }: SeedRecord, key?: string): SeedPlace => ({
  file,
  index,
  ...(key === undefined ? {} : { key })
})

/**
 * What one name of a seed sets: a reference sets the key, even if written under the name of its relation.
 * @throws {SeedReferenceMissing} no record is like the reference
 */
export async function resolveMember(
  run: SeedRun,
  seed: SeedRecord,
  name: string
): Promise<Readonly<Record<string, unknown>>> {
  const { model, data } = seed
  const value = data[name]
  if (referredModels(value).length === 0) return { [name]: value }
  const relation = relationUnder(model, name)
  const key = await resolveReferences(run, value, placeOf(seed, name), relation?.keyTo)
  const isPolymorphic = relation !== undefined && relation.to === undefined && isReference(value)
  const kind = isPolymorphic && relation.discriminator ? { [relation.discriminator.property]: value.$ref } : {}
  return { [propertyUnder(model, name)]: key, ...kind }
}

/** True where a record of the same model may come later in the file. */
function mayComeLater(model: ModelType, name: string, value: unknown): boolean {
  const property = model.byName.get(propertyUnder(model, name))
  return property?.nullable !== false && referredModels(value).includes(model.name)
}

/**
 * The data of a seed, except for keys of records that come later.
 * @throws {SeedReferenceMissing} no record is like a reference
 */
export async function resolveData(run: SeedRun, seed: SeedRecord): Promise<ResolvedSeed> {
  const { model } = seed
  const later = run.later.get(model.name)
  const data: Record<string, unknown> = {}
  const waiting: string[] = []
  for (const [name, value] of Object.entries(seed.data)) {
    const isLater = later?.has(propertyUnder(model, name)) === true
    const members = isLater ? undefined : await resolveUnlessLater(run, seed, name, value)
    if (members === undefined) waiting.push(name)
    else Object.assign(data, members)
  }
  return { data, waiting }
}

async function resolveUnlessLater(
  run: SeedRun,
  seed: SeedRecord,
  name: string,
  value: unknown
): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    return await resolveMember(run, seed, name)
  } catch (error) {
    if (error instanceof SeedReferenceMissing && mayComeLater(seed.model, name, value)) return undefined
    throw error
  }
}
