import { isPlainObject, replaceQuery } from '@modelwire/core/plugin'
import type { FastifyRequest } from 'fastify'
import type { Handler } from './express-module.ts'

type Query = Readonly<Record<string, unknown>>

/** Passes the query of a request on to Fastify's routes where middleware replaced it. */
export interface KeptQueries {
  /** Comes before all middleware: remembers the query as the client wrote it. */
  readonly keep: Handler
  /** Comes after it. */
  readonly forwardChanges: (request: FastifyRequest) => void
}

const isSame = (one: Query, other: Query): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([name, value]) => Object.is(value, other[name]))

const queryOf = (raw: object): Query => {
  const query: unknown = Reflect.get(raw, 'query')
  return isPlainObject(query) ? query : {}
}

/** Makes it for one server. */
export function createKeptQueries(): KeptQueries {
  const written = new WeakMap<object, Query>()
  return {
    keep: (request, _response, next) => {
      written.set(request, { ...queryOf(request) })
      next()
    },
    forwardChanges: (request) => {
      const { raw } = request
      const before = written.get(raw)
      const query = queryOf(raw)
      if (before === undefined || isSame(before, query)) return
      request.query = { ...query }
      replaceQuery(raw, query)
    }
  }
}
