import { changesMany, listedModel, type Operation, storesData } from '@modelwire/core/plugin'

/** What a document says of preferences (RFC 7240) that an operation honours. */
interface PreferenceParts {
  readonly parameters: readonly object[]
  readonly headers: Readonly<Record<string, object>>
}

const nothing: PreferenceParts = { parameters: [], headers: {} }

const prefer = (description: string, example: string): PreferenceParts['parameters'] => [
  { name: 'Prefer', in: 'header', required: false, description, schema: { type: 'string', examples: [example] } }
]

const listHeaders: PreferenceParts['headers'] = {
  'X-Total-Count': { description: 'How many records match; with count=exact', schema: { type: 'integer' } },
  Link: {
    description: 'The first, next and previous page, relative to this one; with links',
    schema: { type: 'string' }
  }
}

/** The preferences that an operation honours. */
export function preferenceParts(operation: Operation): PreferenceParts {
  const { effect } = operation
  if (listedModel(operation) !== undefined)
    return {
      parameters: prefer('count=exact: X-Total-Count; links: Link; handling=strict', 'count=exact, links'),
      headers: listHeaders
    }
  if (changesMany(effect))
    return { ...nothing, parameters: prefer('max-affected: nothing is changed where more would be', 'max-affected=10') }
  if (storesData(effect)) return { ...nothing, parameters: prefer('return=minimal: no body', 'return=minimal') }
  return nothing
}
