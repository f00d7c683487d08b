import type { Mount, Operation } from '@modelwire/core/plugin'
import type { FastifyInstance } from 'fastify'
import Router from 'find-my-way'
import { RouteNotFound } from '../errors.ts'
import type { BatchRequest } from './batch-request.ts'
import { InvalidBatch } from './errors.ts'

/** What answers a request of a batch. */
export interface Found {
  readonly operation: Operation
  /** The URL that it was found by, on the server: no other text may be sent. */
  readonly url: string
}

/** Finds what answers a verb and a URL below the path of the API. */
export type FindOperation = (method: BatchRequest['method'], url: string) => Found

/** Characters that clients may write as they are, though a URL has them percent-encoded. */
const unencoded = /[ "'<>^`{|}]|[^\p{ASCII}\p{Surrogate}]/gu

const encode = (text: string): string =>
  text.replace(unencoded, (sign) => (sign === "'" ? '%27' : encodeURIComponent(sign)))

const origin = 'http://localhost'

/**
 * The URL as the server gets it. Whatever sends a request parses its URL, and so may everything behind it: only a text that stays the
 * same is found and sent.
 * @throws {InvalidBatch} a URL parser would change more than percent-encoding
 */
function readUrl(text: string): string {
  const url = encode(text)
  if (new URL(origin + url).href === origin + url && !url.includes('#')) return url
  throw new InvalidBatch(
    `invalid url ${JSON.stringify(text)}: "#", control characters, unpaired surrogates and, in the path, "\\" and the segments "." and ".." are not allowed`
  )
}

const streams = ({ returns }: Operation): boolean => returns.some(({ type }) => type.kind === 'stream')

/** The settings that a server routes by, so that a batch finds what the server will. */
function routing({ initialConfig }: FastifyInstance) {
  const {
    caseSensitive = true,
    ignoreTrailingSlash = false,
    ignoreDuplicateSlashes = false,
    useSemicolonDelimiter = false,
    allowUnsafeRegex = false,
    maxParamLength = 100
  } = { ...initialConfig, ...initialConfig.routerOptions }
  return {
    caseSensitive,
    ignoreTrailingSlash,
    ignoreDuplicateSlashes,
    useSemicolonDelimiter,
    allowUnsafeRegex,
    maxParamLength
  }
}

/**
 * Makes the function that finds operations by the server's own router.
 * What it gives throws {@link RouteNotFound} where no operation answers, and {@link InvalidBatch} for a stream, which would not end,
 * and for a URL that a parser would change.
 */
export function operationFinder(
  scope: FastifyInstance,
  { prefix, routes }: Pick<Mount, 'prefix' | 'routes'>
): FindOperation {
  const router = Router(routing(scope))
  const base = prefix.replace(/\/$/, '')
  // Only looked for, never called.
  for (const { verb, path, operation } of routes) router.on(verb, base + path, () => undefined, operation)
  return (method, text) => {
    const url = readUrl(base + text)
    const found = router.find(method, url)
    if (found === null) throw new RouteNotFound(`no method answers ${method} ${url.split('?', 1)[0] ?? ''}`)
    const operation = found.store as Operation // as put there above
    if (streams(operation)) throw new InvalidBatch(`${method} ${text} is a stream, which a batch cannot have`)
    return { operation, url }
  }
}
