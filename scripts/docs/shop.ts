// The server that examples of docstrings call `app`: two products, one of them with two reviews, and a table of invoices.
import { memory } from '@modelwire/connector-memory'
import { sqlite } from '@modelwire/connector-sqlite'
import { defineModel, modelwire, type ModelsOf } from '@modelwire/core'
import { relations } from '@modelwire/relations'
import { Type } from '@sinclair/typebox'
import Fastify, { type FastifyInstance } from 'fastify'

const stored = { dataSource: 'db', public: true } as const
const models = {
  Product: defineModel(
    'Product',
    Type.Object({ name: Type.String({ minLength: 1 }), price: Type.Number(), stock: Type.Integer({ default: 0 }) }),
    { ...stored, forceId: false, relations: { reviews: { type: 'hasMany', model: 'Review' } } }
  ),
  Review: defineModel('Review', Type.Object({ stars: Type.Integer(), text: Type.String() }), {
    ...stored,
    relations: { product: { type: 'belongsTo', model: 'Product' } }
  }),
  Invoice: defineModel('Invoice', Type.Object({ total: Type.Number() }), { dataSource: 'archive', public: true })
}

declare module '@modelwire/core' {
  interface Models extends ModelsOf<typeof models> {}
}

declare global {
  const app: FastifyInstance
}

export async function openShop(): Promise<FastifyInstance> {
  const shop = Fastify()
  await shop.register(modelwire, { dataSources: { db: memory({ transactions: true }), archive: sqlite() }, models })
  await shop.register(relations)
  const [lamp] = await shop.models.Product.create([
    { name: 'Lamp', price: 12.5, stock: 3 },
    { name: 'Sofa', price: 480 }
  ])
  await lamp?.reviews.create([
    { stars: 5, text: 'Bright' },
    { stars: 3, text: 'Small' }
  ])
  return shop
}
