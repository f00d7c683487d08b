import { Type } from '@sinclair/typebox'

const ProductInputSchema = Type.Object(
  {
    name: Type.String(),
    description: Type.String(),
    price: Type.Number(),
    inStock: Type.Boolean(),
    category: Type.String(),
    stock: Type.Integer(),
    created: Type.String({ format: 'date-time' })
  },
  { additionalProperties: false }
)

/** What only LoopBack's tables have. */
const DetailsSchema = Type.Object({
  tags: Type.Optional(Type.Array(Type.String())),
  size: Type.Optional(
    Type.Object({
      width: Type.Number(),
      height: Type.Number(),
      unit: Type.String(),
      parts: Type.Array(Type.Object({ code: Type.String(), count: Type.Integer() }))
    })
  ),
  changed: Type.Optional(Type.String({ format: 'date-time' }))
})

const ProductSchema = Type.Composite([ProductInputSchema, Type.Object({ id: Type.Integer() })])

const ReviewSchema = Type.Object({
  productId: Type.Integer(),
  author: Type.String(),
  stars: Type.Integer(),
  text: Type.String(),
  created: Type.String({ format: 'date-time' }),
  id: Type.Integer()
})

const ErrorSchema = Type.Object({
  error: Type.Object({
    statusCode: Type.Integer(),
    name: Type.String(),
    message: Type.String(),
    code: Type.Optional(Type.String())
  })
})

const errors = { '4xx': ErrorSchema }

/** `reviews` are only there where they are asked for. */
const Reviewed = Type.Object({ reviews: Type.Optional(Type.Array(ReviewSchema)) })

const writes = {
  create: { body: ProductInputSchema, response: { 200: ProductSchema, ...errors } },
  patch: { body: Type.Partial(ProductInputSchema), response: { 200: ProductSchema, ...errors } }
}
const count = { response: { 200: Type.Object({ count: Type.Integer() }), ...errors } }

/** What fast-json-stringify and Ajv are given, by route. */
export const handwrittenSchemas = {
  read: { response: { 200: ProductSchema, ...errors } },
  list: { response: { 200: Type.Array(Type.Composite([ProductSchema, Reviewed])), ...errors } },
  count,
  ...writes
}

/** The same for products with details, which are only read. */
export const detailedSchemas = {
  read: { response: { 200: Type.Composite([ProductSchema, DetailsSchema]), ...errors } },
  list: { response: { 200: Type.Array(Type.Composite([ProductSchema, DetailsSchema, Reviewed])), ...errors } },
  count
}
