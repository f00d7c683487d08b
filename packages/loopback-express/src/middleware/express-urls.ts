import type { IncomingMessage } from 'node:http'
import { hasDotSegment, requestPath, writePath } from '@modelwire/core/plugin'
import type { FastifyRequest } from 'fastify'
import { RequestPathInvalid } from '../errors.ts'

/** URLs of requests while Express has them. */
export interface ExpressUrls {
  /**
   * Gives a request the URL that Express matches: the path that Fastify chose the route by, in one spelling.
   * @throws {RequestPathInvalid} there is no path that can be decoded, or it leads up or down folders where files may be served
   */
  readonly enter: (request: FastifyRequest) => void
  /** Like `enter`, for a request that Express had before. */
  readonly enterAgain: (raw: IncomingMessage) => void
  /** Gives the URL back that the client wrote, unless a handler put another one in its place. */
  readonly leave: (raw: IncomingMessage) => void
  /** The URL that the client wrote. */
  readonly original: (raw: IncomingMessage) => string
}

interface Spellings {
  readonly written: string
  readonly matched: string
}

/** What serves files reads a folder from dots, and Express does not: a guard of that folder would not see the request. */
function mayServeFiles({ is404, routeOptions: { url } }: FastifyRequest): boolean {
  return is404 || url === undefined || url.endsWith('*')
}

function matchedUrl(request: FastifyRequest): string {
  const path = requestPath(request)
  if (path === undefined) throw new RequestPathInvalid('the request has no path that can be decoded')
  if (hasDotSegment(path) && mayServeFiles(request))
    throw new RequestPathInvalid('the path of the request has segments of dots')
  return writePath(path)
}

/** Makes the store of one server. */
export function createExpressUrls(): ExpressUrls {
  const urls = new WeakMap<IncomingMessage, Spellings>()
  return {
    enter: (request) => {
      const { raw } = request
      const matched = matchedUrl(request)
      urls.set(raw, { written: raw.url ?? '/', matched })
      raw.url = matched
    },
    enterAgain: (raw) => {
      const spellings = urls.get(raw)
      if (raw.url === spellings?.written) Object.assign(raw, { url: spellings?.matched })
    },
    leave: (raw) => {
      const spellings = urls.get(raw)
      if (raw.url === spellings?.matched) Object.assign(raw, { url: spellings?.written })
    },
    original: (raw) => urls.get(raw)?.written ?? raw.url ?? '/'
  }
}
