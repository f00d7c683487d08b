import type { IncomingMessage } from 'node:http'

type Query = Readonly<Record<string, unknown>>

const replaced = new WeakMap<IncomingMessage, Query>()

/** Has a request read as if its client had sent another query: middleware of an application wrote one. */
export function replaceQuery(request: IncomingMessage, query: Query): void {
  replaced.set(request, query)
}

/** The query that middleware put in place of the one of the URL; undefined where none did. */
export const replacedQuery = (request: IncomingMessage): Query | undefined => replaced.get(request)
