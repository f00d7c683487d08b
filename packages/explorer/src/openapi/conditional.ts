import {
  type Operation,
  takesPreconditions,
  versionedBy,
  changesMany,
  listedModel,
  storesData
} from '@modelwire/core/plugin'
import type { AnswerParts } from './error-answers.ts'
import type { Components } from './components.ts'

/** The parts of a document about an operation's preferences (RFC 7240). */
interface PreferenceParts {
  readonly parameters: readonly object[]
  readonly headers: Readonly<Record<string, object>>
}

const totalCount = { description: 'Number of matching records; with count=exact', schema: { type: 'integer' } }

const link = {
  description: 'The first, next and previous page, relative to this one; with links',
  schema: { type: 'string' }
}

/** The parts of a document about conditional requests to one operation. */
interface Conditional {
  readonly parameters: readonly object[]
  readonly headers: Readonly<Record<string, object>>
  readonly responses: Readonly<Record<number, object>>
}

const tag = { type: 'string', examples: ['"0b5c1f3e"'] }

const recordTag = ({ share }: Components): Conditional['headers'] => ({
  ETag: share('headers', 'ETag', { description: 'The version of the record', schema: tag })
})

const listTag = ({ share }: Components): Conditional['headers'] => ({
  ETag: share('headers', 'ListETag', { description: 'Changes when the list changes; weak', schema: tag })
})

/** A parameter with entity tags. */
const tagParameter = (name: string, required: boolean, description: string): object => ({
  name,
  in: 'header',
  ...(required && { required }),
  description,
  schema: { type: 'string' }
})

function ofRead(headers: Conditional['headers'], { share }: Components): Conditional {
  const description = 'Entity tags that the client has; 304 if one of them is current'
  return {
    parameters: [share('parameters', 'IfNoneMatch', tagParameter('If-None-Match', false, description))],
    headers,
    responses: { 304: share('responses', 'NotModified', { description: "The client's copy is current" }) }
  }
}

function ofChange(operation: Operation, components: Components): Conditional {
  const { share } = components
  const isRequired =
    versionedBy(operation)?.optimisticLocking.requireIfMatch === true && operation.effect.verb !== 'upsert'
  const description =
    'The entity tag of the record as the client read it: the record is only changed if it still matches'
  const changed = { description: 'The record has changed since it was read' }
  return {
    parameters: [
      share('parameters', isRequired ? 'IfMatchRequired' : 'IfMatch', tagParameter('If-Match', isRequired, description))
    ],
    headers: operation.effect.verb === 'delete' ? {} : recordTag(components),
    responses: {
      412: share('responses', 'PreconditionFailed', changed),
      ...(isRequired && { 428: share('responses', 'PreconditionRequired', { description: 'If-Match is missing' }) })
    }
  }
}

/** The conditional requests that an operation supports. */
export function conditionalParts(operation: Operation, { listTags, components }: AnswerParts): Conditional {
  const { verb, subject } = operation.effect
  const isVersioned = versionedBy(operation) !== undefined
  if (takesPreconditions(operation)) return ofChange(operation, components)
  if (verb === 'find' && isVersioned) return ofRead(recordTag(components), components)
  if (verb === 'find' && subject === 'set' && listTags) return ofRead(listTag(components), components)
  return { parameters: [], headers: isVersioned ? recordTag(components) : {}, responses: {} }
}

/** The preferences that an operation supports. */
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
      parameters: prefer(
        'MaxAffected',
        'max-affected: change nothing if more records would be affected',
        'max-affected=10'
      ),
      headers: {}
    }
  const parameters = storesData(effect) ? prefer('Minimal', 'return=minimal: no body', 'return=minimal') : []
  return { parameters, headers: {} }
}
