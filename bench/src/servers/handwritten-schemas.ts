import { type TObject, type TSchema, Type } from '@sinclair/typebox'

const ProductInputSchema = Type.Object(
  {
    name: Type.String(),
    description: Type.String(),
    price: Type.Number(),
    inStock: Type.Boolean(),
    category: Type.String(),
    stock: Type.Integer(),
    tags: Type.Array(Type.String()),
    weight: Type.String(),
    created: Type.String({ format: 'date-time' })
  },
  { additionalProperties: false }
)

/** What only LoopBack's tables have. */
const DetailsSchema = Type.Object({
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

const ErrorSchema = Type.Object({
  error: Type.Object({
    statusCode: Type.Integer(),
    name: Type.String(),
    message: Type.String(),
    code: Type.Optional(Type.String())
  })
})

const errors = { '4xx': ErrorSchema }

/** What fast-json-stringify and Ajv are given, by route, where records have ids of a type and products these details. */
function schemasOf<Id extends TSchema, Details extends TObject>(id: Id, Details: Details) {
  const Product = Type.Composite([ProductInputSchema, Details, Type.Object({ id })])
  const Review = Type.Object({
    productId: id,
    author: Type.String(),
    stars: Type.Integer(),
    text: Type.String(),
    created: Type.String({ format: 'date-time' }),
    id
  })
  // Only there where they are asked for.
  const Reviewed = Type.Object({ reviews: Type.Optional(Type.Array(Review)) })
  return {
    read: { response: { 200: Product, ...errors } },
    list: { response: { 200: Type.Array(Type.Composite([Product, Reviewed])), ...errors } },
    count: { response: { 200: Type.Object({ count: Type.Integer() }), ...errors } },
    create: { body: ProductInputSchema, response: { 200: Product, ...errors } },
    patch: { body: Type.Partial(ProductInputSchema), response: { 200: Product, ...errors } }
  }
}

const NoDetails = Type.Object({})

/** With ids that count. */
export const handwrittenSchemas = schemasOf(Type.Integer(), NoDetails)

/** The same for products with details. */
export const detailedSchemas = schemasOf(Type.Integer(), DetailsSchema)

/** With ids of MongoDB, as texts. */
export const textIdSchemas = schemasOf(Type.String(), NoDetails)
