import { isPlainObject, type Row } from '@modelwire/core/connector'
import { checkUnique, hasUniqueValue } from './check-unique.ts'
import { type CollectionContext, idNameOf } from './context.ts'
import { removeById } from './write-by-id.ts'

/** Stores one row, and gives it as it is stored: with the id that the connector made. */
export async function insertRow(context: CollectionContext, row: Row): Promise<Row> {
  const name = idNameOf(context)
  const data = context.codec.encode(row)
  // One that is null would be stored as it is.
  if (name !== undefined && (data[name] ?? null) === null) delete data[name]
  const [made] = await context.call('create', data)
  if (name === undefined) return context.codec.decode(context.codec.encode(row))
  // LB3: some connectors call back with 0 for an id that the caller chose.
  const id = row[name] ?? (isPlainObject(made) ? made[name] : made)
  return context.codec.decode({ ...context.codec.encode(row), [name]: id })
}

/** Stores all rows or none. Without transactions, those that were stored are removed when one is refused. */
export async function insertRows(context: CollectionContext, rows: readonly Row[]): Promise<Row[]> {
  const [only, ...more] = rows
  if (only === undefined) return []
  const isChecked = context.family === 'other' && hasUniqueValue(context, rows)
  if (more.length === 0 && !isChecked) return [await insertRow(context, only)]
  return context.together(async () => {
    if (isChecked) await checkUnique(context, rows)
    const stored: Row[] = []
    try {
      for (const row of rows) stored.push(await insertRow(context, row))
      return stored
    } catch (error) {
      // A transaction takes back what was done in it.
      if (!context.isInTransaction()) await removeStored(context, stored)
      throw error
    }
  })
}

async function removeStored(context: CollectionContext, stored: readonly Row[]): Promise<void> {
  const name = idNameOf(context)
  if (name === undefined) return
  await Promise.allSettled(stored.map((row) => removeById(context, row[name])))
}
