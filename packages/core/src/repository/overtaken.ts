import { DuplicateKey, ValidationError } from '../errors.ts'
import type { ModelType } from '../contract/model-type.ts'
import { isPlainObject } from '../values/clone-plain.ts'

/**
 * What `insert` gives, or what `find` then finds where a record of the same id or unique value was stored meanwhile: operations that
 * find or create, or update or create, mean that one. Rejects with the error of the insert where nothing is found, also because
 * the database lets nothing more be done in its transaction.
 */
export async function insertOrFind<Inserted, Found>(
  model: ModelType,
  insert: () => Promise<Inserted>,
  find: () => Promise<Found | undefined>
): Promise<{ readonly inserted: Inserted } | { readonly found: Found }> {
  try {
    return { inserted: await insert() }
  } catch (error) {
    const found = isTaken(model, error) ? await find().catch(() => undefined) : undefined
    if (found === undefined) throw error
    return { found }
  }
}

/** The database, or a rule that looked into it, refused a value that a record of this model has already. */
function isTaken({ name }: ModelType, error: unknown): boolean {
  if (error instanceof DuplicateKey) return error.model === name
  if (!(error instanceof ValidationError) || !isPlainObject(error.details)) return false
  const { context, codes } = error.details
  return context === name && isPlainObject(codes) && Object.values(codes).flat().includes('uniqueness')
}
