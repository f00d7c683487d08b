import type { Pool } from 'pg'
import { makeDetails, makeProducts, makeReviews } from '../bench-data.ts'

/** How a server's tables and columns are called, where both servers have their own ways. */
export interface TableNames {
  readonly products: string
  readonly inStock: string
  readonly reviews: string
  readonly productId: string
  /** Products have `tags`, `size` and `changed`, too. */
  readonly hasDetails: boolean
}

const productsInto = ({ products, inStock, hasDetails }: TableNames): string => `
  insert into ${products} (name, description, price, ${inStock}, category, stock, created${hasDetails ? ', tags, size, changed' : ''})
  select name, description, price, "inStock", category, stock, created${hasDetails ? ', tags, size, changed' : ''}
  from json_to_recordset($1) as given (id int, name text, description text, price double precision, "inStock" boolean,
    category text, stock int, created timestamptz, tags text, size text, changed timestamp) order by id`

const reviewsInto = ({ reviews, productId }: TableNames): string => `
  insert into ${reviews} (${productId}, author, stars, text, created) select "productId", author, stars, text, created
  from json_to_recordset($1) as given (id int, "productId" int, author text, stars int, text text, created timestamptz)
  order by id`

/**
 * Fills empty tables. By the database itself for both servers: one that had written the records itself would be measured with
 * code that V8 has compiled for that. Ids come out as 1, 2, 3, …
 */
export async function fillPostgresql(pool: Pool, rows: number, names: TableNames): Promise<void> {
  await pool.query(productsInto(names), [
    JSON.stringify(names.hasDetails ? makeDetails(makeProducts(rows)) : makeProducts(rows))
  ])
  await pool.query(reviewsInto(names), [JSON.stringify(makeReviews(rows))])
  await pool.query('analyze')
}
