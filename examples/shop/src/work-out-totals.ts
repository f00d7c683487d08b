import type { Models } from '@modelwire/core'
import type { Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { OrderLinesSchema } from './models.ts'

/** Sets the total of each order from today's prices, whatever the client sends. */
export function workOutTotals(models: Models): void {
  models.Order.observe('before save', async ({ instance, data }) => {
    // A whole record comes as `instance`, the changes of a patch as `data`.
    const order = instance ?? data ?? {}
    if ('lines' in order) order.total = await totalOf(models, order.lines)
    else delete order.total
  })
}

/** Records are validated after this hook: lines that are wrong have no total, and are refused then. */
async function totalOf({ Product }: Models, lines: unknown): Promise<number | undefined> {
  if (!Value.Check(OrderLinesSchema, lines)) return undefined
  const products = await Product.find({ where: { id: { inq: lines.map(({ productId }) => productId) } } })
  const prices = new Map(products.map(({ id, price }) => [id, price]))
  return inCents(lines.reduce((sum, line) => sum + priceOf(line, prices), 0))
}

function priceOf(
  { productId, quantity }: Static<typeof OrderLinesSchema>[number],
  prices: Map<number, number>
): number {
  return quantity * (prices.get(productId) ?? 0)
}

function inCents(euros: number): number {
  return Math.round(euros * 100) / 100
}
