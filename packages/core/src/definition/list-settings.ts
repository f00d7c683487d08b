import { type Static, Type } from '@sinclair/typebox'

const pageSize = (description: string) => Type.Optional(Type.Integer({ minimum: 1, unit: 'records', description }))

/** How clients get lists, of one model or of all. */
export const ListSettingsSchema = Type.Object(
  {
    limit: pageSize('records of a list for which a client names no limit; without it all, or `maxLimit`'),
    maxLimit: pageSize('largest limit that a client may name'),
    count: Type.Optional(
      Type.Boolean({ description: 'tell in X-Total-Count how many records match, also clients that do not ask for it' })
    ),
    links: Type.Optional(
      Type.Boolean({
        description: 'lead to the next and the previous page by Link, also clients that do not ask for it'
      })
    )
  },
  { additionalProperties: false, description: 'how clients get lists: the size of pages, totals, links' }
)

/** How clients get lists. */
export type ListSettings = Static<typeof ListSettingsSchema>
