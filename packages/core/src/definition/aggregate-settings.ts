import { Type } from '@sinclair/typebox'

/** The setting `aggregate` of a model, where it is an object. */
export const AggregateSettingsSchema = Type.Object(
  {
    properties: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'properties that clients may group by, sum, average, count and compare; all that they may read when absent'
      })
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, default: 100, description: 'rows of a result where the request names no limit' })
    ),
    maxLimit: Type.Optional(
      Type.Integer({ minimum: 1, default: 1000, description: 'most rows that a request may ask for' })
    )
  },
  { additionalProperties: false }
)
