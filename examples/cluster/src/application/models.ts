import { type AccessRule, defineModel, type ModelsOf } from '@modelwire/core'
import { Type } from '@sinclair/typebox'

/** What no rule below allows is denied. */
const closed: AccessRule = { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }

const reads = ['find', 'findOne', 'findById', 'exists', 'count', 'createChangeStream']

const allow = (principalId: string, property: string[], more: Partial<AccessRule> = {}): AccessRule => ({
  principalType: 'ROLE',
  principalId,
  permission: 'ALLOW',
  property,
  ...more
})

/** Who orders. Signing up and logging in come from the base. */
const Customer = defineModel('Customer', Type.Object({ name: Type.Optional(Type.String({ maxLength: 100 })) }), {
  base: 'User',
  public: true
})

const Product = defineModel(
  'Product',
  Type.Object({
    sku: Type.String({ pattern: '^[A-Z0-9-]{3,32}$', unique: true }),
    name: Type.String({ minLength: 1, maxLength: 200 }),
    price: Type.Number({ minimum: 0, index: true }),
    stock: Type.Integer({ minimum: 0, default: 0 })
  }),
  {
    public: true,
    // Streams, caches and webhooks of all processes hear of it, whichever changes it.
    changeLog: true,
    lists: { limit: 20, maxLimit: 100 },
    acls: [closed, allow('$everyone', reads), allow('admin', ['create', 'patchAttributes', 'deleteById'])]
  }
)

const Order = defineModel(
  'Order',
  Type.Object({
    // Made by the client: a request that is sent again after a broken connection makes no second order.
    reference: Type.String({ minLength: 8, maxLength: 64, unique: true, writeOnce: true }),
    quantity: Type.Integer({ minimum: 1, maximum: 1000 }),
    status: Type.Union([Type.Literal('placed'), Type.Literal('paid'), Type.Literal('sent')], { default: 'placed' }),
    placed: Type.Date({ defaultFn: 'now', readOnly: true }),
    productId: Type.Integer({ index: true, writeOnce: true }),
    // Who orders: clients cannot claim to be another customer.
    customerId: Type.Optional(Type.Integer({ fromCaller: 'userId', index: true }))
  }),
  {
    public: true,
    changeLog: true,
    lists: { limit: 20, maxLimit: 100 },
    relations: {
      product: { type: 'belongsTo', model: 'Product' },
      customer: { type: 'belongsTo', model: 'Customer' }
    },
    acls: [
      closed,
      allow('$authenticated', ['create', 'patchAttributes', ...reads], { rows: '$owner' }),
      allow('admin', reads)
    ]
  }
)

/** What the shop stores, but for users' tokens and what other packages keep. */
export const models = { Customer, Product, Order }

declare module '@modelwire/core' {
  /** Makes `app.models.Order` and the others known to TypeScript. */
  interface Models extends ModelsOf<typeof models> {}
}
