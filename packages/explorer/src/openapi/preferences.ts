import { changesMany, listedModel, type Operation, storesData } from '@modelwire/core/plugin'
import type { Components } from './components.ts'

/** What a document says of preferences (RFC 7240) that an operation honours. */
interface PreferenceParts {
  readonly parameters: readonly object[]
  readonly headers: Readonly<Record<string, object>>
}

const totalCount = { description: 'How many records match; with count=exact', schema: { type: 'integer' } }

const link = {
  description: 'The first, next and previous page, relative to this one; with links',
  schema: { type: 'string' }
}

/** The preferences that an operation honours. */
export function preferenceParts(operation: Operation, { share }: Components): PreferenceParts {
  const { effect } = operation
  const prefer = (name: string, description: string, example: string): PreferenceParts['parameters'] => [
    share('parameters', `Prefer${name}`, {
      name: 'Prefer',
      in: 'header',
      description,
      schema: { type: 'string', examples: [example] }
    })
  ]
  if (listedModel(operation) !== undefined)
    return {
      parameters: prefer('List', 'count=exact: X-Total-Count; links: Link; handling=strict', 'count=exact, links'),
      headers: { 'X-Total-Count': share('headers', 'TotalCount', totalCount), Link: share('headers', 'Link', link) }
    }
  if (changesMany(effect))
    return {
      parameters: prefer('MaxAffected', 'max-affected: nothing is changed where more would be', 'max-affected=10'),
      headers: {}
    }
  const parameters = storesData(effect) ? prefer('Minimal', 'return=minimal: no body', 'return=minimal') : []
  return { parameters, headers: {} }
}
