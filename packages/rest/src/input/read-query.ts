import { replacedQuery, writtenQuery } from '@modelwire/core/plugin'
import type { FastifyRequest } from 'fastify'
import { parseQueryString, type QueryStringLimits } from './parse-query-string.ts'
import { refusePrototypeKeys } from './refuse-prototype-keys.ts'

type Query = Readonly<Record<string, unknown>>

/** What a request without a query string has. */
export const noQuery: Query = Object.freeze(Object.create(null) as Query) // Object.create is typed any

/** The query string of a request; without one nothing is parsed. */
export type ReadQuery = (request: FastifyRequest) => Query

/** Makes the function that reads query strings within `limits`. */
export function queryReader(limits: QueryStringLimits): ReadQuery {
  return (request) => {
    const replaced = replacedQuery(request.raw)
    if (replaced !== undefined) return replaced
    const text = writtenQuery(request)
    return text === '' ? noQuery : parseQueryString(text, limits)
  }
}

/**
 * The query string of a request, whose keys are looked at unless names of prototypes are ignored.
 * @throws {NameRefused} a key is `__proto__`; the parser leaves it out, which is safe, but the client should get an
 * error
 */
export function readCheckedQuery(request: FastifyRequest, ignoresPrototypeNames: boolean, readQuery: ReadQuery): Query {
  const query = readQuery(request)
  if (!ignoresPrototypeNames && query !== noQuery && replacedQuery(request.raw) === undefined)
    refusePrototypeKeys(writtenQuery(request))
  return query
}
