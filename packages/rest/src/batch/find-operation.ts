import type { Mount, Operation } from '@modelwire/core/plugin'
import type { FastifyInstance } from 'fastify'
import Router from 'find-my-way'
import { RouteNotFound } from '../errors.ts'
import { InvalidBatch } from './errors.ts'

/** Finds the operation that answers a verb at an address below the path of the API. */
export type FindOperation = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string) => Operation

/** A path that a server might take for another one. */
const dotSegment = /(^|\/)(\.|%2e){1,2}(\/|$)/i

const pathOf = (url: string): string => url.split(/[?#]/)[0] ?? ''

const streams = ({ returns }: Operation): boolean => returns.some(({ type }) => type.kind === 'stream')

/** The settings that a server routes by, so that a batch finds what the server will. */
function routing({ initialConfig }: FastifyInstance) {
  const own = { ...initialConfig, ...initialConfig.routerOptions }
  const {
    caseSensitive = true,
    ignoreTrailingSlash = false,
    ignoreDuplicateSlashes = false,
    maxParamLength = 100
  } = own
  return { caseSensitive, ignoreTrailingSlash, ignoreDuplicateSlashes, maxParamLength }
}

/**
 * Makes the function that finds operations by the server's own router.
 * What it gives throws {@link RouteNotFound} where no operation answers, and {@link InvalidBatch} where one would answer without end.
 */
export function operationFinder(
  scope: FastifyInstance,
  { prefix, routes }: Pick<Mount, 'prefix' | 'routes'>
): FindOperation {
  const router = Router(routing(scope))
  // Only looked for, never called.
  for (const { verb, path, operation } of routes) router.on(verb, path, () => undefined, operation)
  return (method, url) => {
    const path = pathOf(url)
    const found = dotSegment.test(path) ? null : router.find(method, path)
    if (found === null) throw new RouteNotFound(`no method answers ${method} ${prefix}${path}`)
    const operation = found.store as Operation // as put there above
    if (streams(operation)) throw new InvalidBatch(`${method} ${path} is a stream, which a batch cannot have`)
    return operation
  }
}
