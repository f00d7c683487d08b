import { DuplicateKey, ValidationError } from '../errors.ts'
import type { ModelType } from '../contract/model-type.ts'
import { isPlainObject } from '../values/clone-plain.ts'
import { doAlone } from './alone.ts'

/** What an operation did that creates a record unless there is one. */
export type Overtaken<Inserted, Found> = { readonly inserted: Inserted } | { readonly found: Found }

/**
 * What `insert` gives, or what `find` then finds where a record of the same id or unique value was stored meanwhile: operations that
 * find or create, or update or create, mean that one. Rejects with the error of the insert where nothing is found, also because
 * the database lets nothing more be done in its transaction.
 */
export async function insertOrFind<Inserted, Found>(
  model: ModelType,
  insert: () => Promise<Inserted>,
  find: () => Promise<Found | undefined>
): Promise<Overtaken<Inserted, Found>> {
  try {
    return { inserted: await insert() }
  } catch (error) {
    const found = isTaken(model, error) ? await find().catch(() => undefined) : undefined
    if (found === undefined) throw error
    return { found }
  }
}

/**
 * The same where nothing was found just now by `where`: one of several that do so at once inserts. Where the database does not tell
 * their records apart, they come one after the other.
 */
export async function insertOnce<Inserted, Found>(
  model: ModelType,
  where: unknown,
  insert: () => Promise<Inserted>,
  find: () => Promise<Found | undefined>
): Promise<Overtaken<Inserted, Found>> {
  if (namesUnique(model, where)) return insertOrFind(model, insert, find)
  return doAlone(model, where, async () => {
    const found = await find()
    return found === undefined ? insertOrFind(model, insert, find) : { found }
  })
}

/** True where one record alone can match: the database refuses a second one. */
function namesUnique({ byName }: ModelType, where: unknown): boolean {
  if (!isPlainObject(where)) return false
  return Object.entries(where).some(([name, value]) => {
    const property = byName.get(name)
    const isUnique = property?.id === true || property?.unique === true
    return isUnique && (value ?? null) !== null && !isPlainObject(value)
  })
}

/** The database, or a rule that looked into it, refused a value that a record of this model has already. */
function isTaken({ name }: ModelType, error: unknown): boolean {
  if (error instanceof DuplicateKey) return error.model === name
  if (!(error instanceof ValidationError) || !isPlainObject(error.details)) return false
  const { context, codes } = error.details
  return context === name && isPlainObject(codes) && Object.values(codes).flat().includes('uniqueness')
}
