import { type ErrorFacts, phraseOf } from './error-facts.ts'

/**
 * An error as problem details: `type` is `about:blank`, `title` the phrase of the status and `detail` the message. `code`, `name`,
 * `details` and whatever else `facts` has are extension members.
 * @see RFC 9457 sections 3.1 and 3.2
 */
export function problemDetails(status: number, facts: ErrorFacts): ErrorFacts {
  const { statusCode: _, message, ...extensions } = facts
  const standard = { type: 'about:blank', title: phraseOf(status), status, detail: message }
  return { ...standard, ...extensions, ...standard }
}
