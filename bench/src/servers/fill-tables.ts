import { makeDetails, makeProducts, makeReviews } from '../bench-data.ts'
import type { BenchTable } from './bench-tables.ts'
import type { SqlDriver } from './sql-drivers.ts'

const write = (value: unknown): unknown => (typeof value === 'object' ? JSON.stringify(value) : value)

/** Records as text in JSON, property by property, as columns take them. */
function textsOf(records: readonly object[], { columns }: BenchTable): string {
  return JSON.stringify(
    records.map((record) => {
      const byName: Readonly<Record<string, unknown>> = { ...record }
      return Object.fromEntries(columns.map(({ name }) => [name, write(byName[name])]))
    })
  )
}

/**
 * Fills empty tables. By the database itself for all servers: one that had written the records itself would be measured with code
 * that V8 has compiled for that. Ids come out as 1, 2, 3, …
 */
export async function fillTables(
  driver: SqlDriver,
  rows: number,
  { products, reviews }: { readonly products: BenchTable; readonly reviews: BenchTable }
): Promise<void> {
  await driver.fill(products, textsOf(makeDetails(makeProducts(rows)), products))
  await driver.fill(reviews, textsOf(makeReviews(rows), reviews))
  await driver.tidy(products.name)
  await driver.tidy(reviews.name)
}
