import type { FastifyInstance } from 'fastify'
import type { Settings } from './settings.ts'

/** The accounts of the example. Real ones have passwords of their own. */
export const accounts = {
  admin: { email: 'admin@shop.example', password: 'a quiet evening' },
  customer: { email: 'ann@shop.example', password: 'a quiet morning' }
}

const products = [
  { sku: 'LAMP-1', name: 'Lamp', price: 39.5, stock: 100 },
  { sku: 'CHAIR-1', name: 'Chair', price: 120, stock: 40 },
  { sku: 'TABLE-1', name: 'Table', price: 340, stock: 12 }
]

/** Has each order told to an address. */
async function tellOrders({ webhooks }: FastifyInstance, { RECEIVER_URL, RECEIVER_SECRET }: Settings): Promise<void> {
  if (RECEIVER_URL === undefined) return
  const secret = RECEIVER_SECRET === undefined ? {} : { secret: RECEIVER_SECRET }
  await webhooks.createEndpoint({ url: RECEIVER_URL, models: ['Order'], kinds: ['created'], ...secret })
}

/** Fills an empty shop; does nothing where it is filled. */
export async function stock(app: FastifyInstance, settings: Settings): Promise<void> {
  const { models } = app
  const { Customer, Product } = models
  if ((await Product.count()) > 0) return
  await tellOrders(app, settings)
  await models.transaction(async () => {
    await Product.create(products)
    const admin = await Customer.create({ ...accounts.admin, name: 'Admin' })
    await Customer.create({ ...accounts.customer, name: 'Ann' })
    const role = await models.get('Role').create({ name: 'admin' })
    const principal = { principalType: 'USER', principalId: String(admin.getId()) }
    await models.get('RoleMapping').create({ ...principal, roleId: role.getId() })
  })
}
