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

const ProductSchema = Type.Composite([ProductInputSchema, Type.Object({ id: Type.Integer() })])

const ReviewSchema = Type.Object({
  productId: Type.Integer(),
  author: Type.String(),
  stars: Type.Integer(),
  text: Type.String(),
  created: Type.String({ format: 'date-time' }),
  id: Type.Integer()
})

/** `reviews` are only there where they are asked for. */
const ListedProductSchema = Type.Composite([
  ProductSchema,
  Type.Object({ reviews: Type.Optional(Type.Array(ReviewSchema)) })
])

const ErrorSchema = Type.Object({
  error: Type.Object({
    statusCode: Type.Integer(),
    name: Type.String(),
    message: Type.String(),
    code: Type.Optional(Type.String())
  })
})

const errors = { '4xx': ErrorSchema }

/** What fast-json-stringify and Ajv are given, by route. */
export const handwrittenSchemas = {
  read: { response: { 200: ProductSchema, ...errors } },
  list: { response: { 200: Type.Array(ListedProductSchema), ...errors } },
  count: { response: { 200: Type.Object({ count: Type.Integer() }), ...errors } },
  create: { body: ProductInputSchema, response: { 200: ProductSchema, ...errors } },
  patch: { body: Type.Partial(ProductInputSchema), response: { 200: ProductSchema, ...errors } }
}
