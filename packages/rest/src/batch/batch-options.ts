import { Type } from '@sinclair/typebox'

/** Where several requests are sent as one. */
export const BatchOptionsSchema = Type.Object(
  {
    path: Type.Optional(
      Type.String({ pattern: '^/[^:*]+$', default: '/batch', description: 'where batches are sent, below the prefix' })
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        default: 100,
        unit: 'requests',
        description: 'requests of a batch, and records of one about many records'
      })
    ),
    timeout: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 86_400,
        default: 30,
        unit: 's',
        description: 'how long an atomic batch may take before it is rolled back'
      })
    )
  },
  { additionalProperties: false }
)
