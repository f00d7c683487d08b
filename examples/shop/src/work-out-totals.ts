import type { Models } from '@modelwire/core'

/** Sets the total of each new order from today's prices, whatever the client says it is. */
export function workOutTotals({ Order, Product }: Models): void {
  Order.observe('before save', async ({ instance, isNewInstance }) => {
    if (instance === undefined || isNewInstance !== true) return
    const order = new Order(instance)
    const products = await Product.find({ where: { id: { inq: order.lines.map(({ productId }) => productId) } } })
    const prices = new Map(products.map(({ id, price }) => [id, price]))
    instance['total'] = order.lines.reduce((sum, line) => sum + line.quantity * (prices.get(line.productId) ?? 0), 0)
  })
}
