import type { WithDefaults } from '@modelwire/server'
import { Type, type Static } from '@sinclair/typebox'

/** Options of the plugin `relations`. */
export const RelationsOptionsSchema = Type.Object(
  {
    includeDepth: Type.Optional(
      Type.Integer({
        minimum: 1,
        default: 8,
        unit: 'levels',
        description: 'levels of include that a client may request'
      })
    ),
    includeCount: Type.Optional(
      Type.Integer({
        minimum: 1,
        default: 50,
        unit: 'relations',
        description: 'relations that a client may include in one request'
      })
    ),
    keysPerQuery: Type.Optional(
      Type.Integer({
        minimum: 1,
        default: 1000,
        unit: 'keys',
        description: 'parent keys per query of an include'
      })
    )
  },
  { additionalProperties: false }
)
export type RelationsOptions = Static<typeof RelationsOptionsSchema>

/** The options with their defaults. */
export type RelationLimits = Readonly<WithDefaults<typeof RelationsOptionsSchema>>
