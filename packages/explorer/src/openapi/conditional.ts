import { type Operation, takesPreconditions, versionedBy } from '@modelwire/core/plugin'
import type { AnswerParts } from './answer-parts.ts'
import type { Components } from './components.ts'

/** What a document says of conditional requests to one operation. */
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
  ETag: share('headers', 'ListETag', { description: 'The same for the same list; weak', schema: tag })
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
  const description = 'Entity tags that the client has; 304 where one of them is current'
  return {
    parameters: [share('parameters', 'IfNoneMatch', tagParameter('If-None-Match', false, description))],
    headers,
    responses: { 304: share('responses', 'NotModified', { description: 'The client has the answer already' }) }
  }
}

function ofChange(operation: Operation, components: Components): Conditional {
  const { share } = components
  const isRequired =
    versionedBy(operation)?.optimisticLocking.requireIfMatch === true && operation.effect.verb !== 'upsert'
  const description = 'The entity tag that the record was read with: it is changed only if it still has it'
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

/** The conditional requests that an operation takes. */
export function conditionalParts(operation: Operation, { listTags, components }: AnswerParts): Conditional {
  const { verb, subject } = operation.effect
  const isVersioned = versionedBy(operation) !== undefined
  if (takesPreconditions(operation)) return ofChange(operation, components)
  if (verb === 'find' && isVersioned) return ofRead(recordTag(components), components)
  if (verb === 'find' && subject === 'set' && listTags) return ofRead(listTag(components), components)
  return { parameters: [], headers: isVersioned ? recordTag(components) : {}, responses: {} }
}
