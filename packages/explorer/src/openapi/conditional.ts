import { type Operation, takesPreconditions, versionedBy } from '@modelwire/core/plugin'

/** What a document says of conditional requests to one operation. */
interface Conditional {
  readonly parameters: readonly object[]
  readonly headers: Readonly<Record<string, object>>
  readonly responses: Readonly<Record<number, object>>
}

const tag = { type: 'string', examples: ['"0b5c1f3e"'] }

const notModified = { 304: { description: 'The client has the answer already' } }

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'Entity tags that the client has; 304 where one of them is current',
  schema: { type: 'string' }
}

const etag = (description: string): Conditional['headers'] => ({ ETag: { description, schema: tag } })

function ofChange(operation: Operation): Conditional {
  const isRequired =
    versionedBy(operation)?.optimisticLocking.requireIfMatch === true && operation.effect.verb !== 'upsert'
  return {
    parameters: [
      {
        name: 'If-Match',
        in: 'header',
        required: isRequired,
        description: 'The entity tag that the record was read with: it is changed only if it still has it',
        schema: { type: 'string' }
      }
    ],
    headers: operation.effect.verb === 'delete' ? {} : etag('The version of the record after the change'),
    responses: {
      412: { description: 'The record has changed since it was read' },
      ...(isRequired && { 428: { description: 'If-Match is missing' } })
    }
  }
}

/** The conditional requests that an operation takes. @param listTags lists have entity tags */
export function conditionalParts(operation: Operation, listTags: boolean): Conditional {
  const { verb, subject } = operation.effect
  const isVersioned = versionedBy(operation) !== undefined
  if (takesPreconditions(operation)) return ofChange(operation)
  if (verb === 'find' && isVersioned)
    return { parameters: [ifNoneMatch], headers: etag('The version of the record'), responses: notModified }
  if (verb === 'find' && subject === 'set' && listTags)
    return { parameters: [ifNoneMatch], headers: etag('The same for the same list; weak'), responses: notModified }
  return { parameters: [], headers: isVersioned ? etag('The version of the record') : {}, responses: {} }
}
