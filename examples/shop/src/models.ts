import { defineModel, type ModelsOf } from '@modelwire/core'
import { Type } from '@sinclair/typebox'

const Category = defineModel(
  'Category',
  Type.Object({
    name: Type.String({ minLength: 1, unique: true }),
    description: Type.Optional(Type.String({ maxLength: 200 }))
  }),
  { public: true, relations: { products: { type: 'hasMany', model: 'Product', onDelete: 'restrict' } } }
)

const Product = defineModel(
  'Product',
  Type.Object({
    sku: Type.String({ pattern: '^[A-Z]{3}-[0-9]{3}$', unique: true, description: 'our number, such as GAR-001' }),
    name: Type.String({ minLength: 2, maxLength: 80 }),
    description: Type.Optional(Type.String()),
    price: Type.Number({ minimum: 0, index: true, description: 'in euros' }),
    inStock: Type.Optional(Type.Boolean({ default: true })),
    tags: Type.Optional(Type.Array(Type.String(), { default: [] })),
    categoryId: Type.Integer({ index: true }),
    purchasePrice: Type.Optional(Type.Number({ hidden: true, description: 'what we pay: never sent to clients' })),
    added: Type.Optional(Type.Date({ defaultFn: 'now' }))
  }),
  {
    public: true,
    // Two people who change the same product at once: the second one is refused, instead of undoing what the first one did.
    optimisticLocking: true,
    relations: {
      category: { type: 'belongsTo', model: 'Category' },
      reviews: { type: 'hasMany', model: 'Review', onDelete: 'cascade' }
    }
  }
)

const Customer = defineModel(
  'Customer',
  Type.Object({
    name: Type.String({ minLength: 1 }),
    email: Type.String({ format: 'email', unique: true }),
    address: Type.Optional(Type.Object({ street: Type.String(), city: Type.String(), country: Type.String() })),
    newsletter: Type.Optional(Type.Boolean({ default: false }))
  }),
  {
    public: true,
    relations: {
      orders: { type: 'hasMany', model: 'Order', onDelete: 'restrict' },
      reviews: { type: 'hasMany', model: 'Review' }
    }
  }
)

const Review = defineModel(
  'Review',
  Type.Object({
    productId: Type.Integer({ index: true }),
    customerId: Type.Integer({ index: true }),
    stars: Type.Integer({ minimum: 1, maximum: 5 }),
    text: Type.String({ minLength: 1, maxLength: 500 }),
    written: Type.Optional(Type.Date({ defaultFn: 'now' }))
  }),
  {
    public: true,
    relations: {
      product: { type: 'belongsTo', model: 'Product' },
      customer: { type: 'belongsTo', model: 'Customer' }
    }
  }
)

/** What was ordered, and how many of each. */
export const OrderLinesSchema = Type.Array(
  Type.Object({ productId: Type.Integer(), quantity: Type.Integer({ minimum: 1 }) }),
  { minItems: 1 }
)

const Order = defineModel(
  'Order',
  Type.Object({
    customerId: Type.Integer({ index: true }),
    lines: OrderLinesSchema,
    status: Type.Optional(
      Type.Union([Type.Literal('new'), Type.Literal('paid'), Type.Literal('sent')], { default: 'new' })
    ),
    total: Type.Optional(Type.Number({ description: 'in euros; worked out by the server' }))
  }),
  { public: true, relations: { customer: { type: 'belongsTo', model: 'Customer' } } }
)

/** Everything the shop stores. A model that is not `public` has no routes. */
export const models = { Category, Product, Customer, Review, Order }

declare module '@modelwire/core' {
  /** Makes `app.models.Product` and the others known to TypeScript. */
  interface Models extends ModelsOf<typeof models> {}
}
