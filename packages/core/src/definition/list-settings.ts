import { type Static, Type } from '@sinclair/typebox'
import { isPlainObject } from '@modelwire/server'

/** The setting `aggregate` of a model, if it is an object. */
export const AggregateSettingsSchema = Type.Object(
  {
    properties: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'properties that clients may group by, sum, average, count and compare; all that they may read by default'
      })
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, default: 100, description: 'rows of a result if the request sets no limit' })
    ),
    maxLimit: Type.Optional(
      Type.Integer({ minimum: 1, default: 1000, description: 'maximum rows that a request may ask for' })
    )
  },
  { additionalProperties: false }
)

const pageSize = (description: string) => Type.Optional(Type.Integer({ minimum: 1, unit: 'records', description }))

/** How clients receive lists, of one model or of all. */
export const ListSettingsSchema = Type.Object(
  {
    limit: pageSize('records of a list if the client sets no limit; all by default, or `maxLimit`'),
    maxLimit: pageSize('maximum limit that a client may set'),
    count: Type.Optional(
      Type.Boolean({
        description: 'send the number of matching records in X-Total-Count, even if the client does not request it'
      })
    ),
    links: Type.Optional(
      Type.Boolean({
        description: 'send Link headers for the next and the previous page, even if the client does not request them'
      })
    )
  },
  { additionalProperties: false, description: 'how clients receive lists: page size, totals, links' }
)

/** How clients receive lists. */
export type ListSettings = Static<typeof ListSettingsSchema>

/**
 * The properties of an entry of `indexes` with their directions: `{ keys: { a: 1 } }`, also as `fields`, `{ keys: ['a'] }`,
 * `{ columns: 'a, b' }` or `{ a: 1 }`.
 */
export function indexKeys(
  written: Readonly<Record<string, unknown>>
): readonly (readonly [name: string, order: unknown])[] {
  const { columns, fields, keys = fields } = written
  if (typeof columns === 'string') return columns.split(',').map((name) => [name.trim().replaceAll(/["`]/g, ''), 1])
  if (Array.isArray(keys)) return keys.map((name) => [String(name), 1])
  if (isPlainObject(keys)) return Object.entries(keys)
  return Object.entries(written).filter(([, order]) => order === 1 || order === -1)
}
