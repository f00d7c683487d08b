import type { Mount, Operation } from '@modelwire/core/plugin'
import { parsedTarget, writtenPath } from '@modelwire/server'
import type { FastifyInstance } from 'fastify'
import { InvalidBatch, RouteNotFound } from '../../errors.ts'
import { routeFinder } from '../../route-finder.ts'
import type { BatchRequest } from './batch-request.ts'

/** The route for a request of a batch. */
export interface Found {
  readonly operation: Operation
  /** The URL used for the look-up: no other may be sent. */
  readonly url: string
}

/** Finds the operation for a verb and a URL below the path of the API. */
export type FindOperation = (method: BatchRequest['method'], url: string) => Found

/**
 * The URL as the server gets it. Whatever sends a request parses its URL, and so may everything behind it: only a text that stays the
 * same is found and sent.
 * @throws {InvalidBatch} a URL parser would change more than percent-encoding
 */
function readUrl(text: string): string {
  const url = parsedTarget(text)
  if (url !== undefined) return url
  throw new InvalidBatch(
    `invalid url ${JSON.stringify(text)}: "#", control characters, unpaired surrogates and, in the path, "\\" and the segments "." and ".." are not allowed`
  )
}

const streams = ({ returns }: Operation): boolean => returns.some(({ type }) => type.kind === 'stream')

/**
 * Makes the function that finds operations with the server's own router. That function throws {@link RouteNotFound} if no
 * operation matches, and {@link InvalidBatch} for a stream, which would not end, and for a URL that a parser would change.
 */
export function operationFinder(
  scope: FastifyInstance,
  { prefix, routes }: Pick<Mount, 'prefix' | 'routes'>
): FindOperation {
  const base = prefix.replace(/\/$/, '')
  const find = routeFinder(
    scope,
    routes.map(({ verb, path, operation }) => ({ verb, url: base + path, operation }))
  )
  return (method, text) => {
    const url = readUrl(base + text)
    const operation = find(method, url)?.operation
    if (operation === undefined) throw new RouteNotFound(`no method matches ${method} ${writtenPath({ url })}`)
    if (streams(operation)) throw new InvalidBatch(`${method} ${text} is a stream, which a batch cannot contain`)
    return { operation, url }
  }
}
