import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { ApiError } from '@modelwire/core'
import type { Dispatcher } from 'undici'
import { errorBody, OldServerTimeout, OldServerUnreachable, RequestNotForwardable } from '../../errors.ts'
import { endToEnd, forwardHeaders, forwardTarget, hasBody } from './forward-headers.ts'
import type { OldServer } from './old-server.ts'

const codeOf = (error: unknown): string => String(Reflect.get(Object(error), 'code') ?? '')

const timeouts = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'])
const malformed = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED'])
const brokenOff = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])

/** The error for a client if the old server did not answer. */
export function errorOf(cause: unknown, { url }: Pick<OldServer, 'url'>): ApiError {
  if (cause instanceof ApiError) return cause
  const code = codeOf(cause)
  if (timeouts.has(code)) return new OldServerTimeout(`${url.origin} did not answer in time`, { cause })
  if (malformed.has(code)) return new RequestNotForwardable('the request cannot be forwarded', { cause })
  return new OldServerUnreachable(`${url.origin} does not answer`, { cause })
}

/** Sends an error response in the usual format. */
export function answerError(res: ServerResponse, error: ApiError): void {
  const body = JSON.stringify(errorBody(error))
  res.writeHead(error.statusCode, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-content-type-options': 'nosniff',
    ...(!res.req.complete && { connection: 'close' })
  })
  res.end(res.req.method === 'HEAD' ? undefined : body)
}

const idempotent = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Sends a request to the old server. A connection that it had just closed is not an answer: a safe request is retried
 * once.
 */
async function ask(old: OldServer, req: IncomingMessage, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
  const body = hasBody(req) ? req : null
  const request = {
    path: forwardTarget(req, old),
    method: req.method ?? 'GET',
    headers: forwardHeaders(req, old.forwarding),
    body,
    signal,
    responseHeaders: 'raw' as const
  }
  try {
    return await old.forClients.request(request)
  } catch (error) {
    if (body !== null || !idempotent.has(request.method) || !brokenOff.has(codeOf(error))) throw error
    return old.forClients.request(request)
  }
}

/** The headers of an answer as they came; `responseHeaders: 'raw'` gives them as a list. */
function headersOf({ headers }: Dispatcher.ResponseData): (readonly [string, string])[] {
  const raw: unknown = headers
  return endToEnd(Array.isArray(raw) ? raw.map(String) : [])
}

async function answerWith(answer: Dispatcher.ResponseData, res: ServerResponse): Promise<void> {
  const headers = headersOf(answer)
  const find = (wanted: string): string | undefined => headers.find(([name]) => name.toLowerCase() === wanted)?.[1]
  // What is left of the request is not read: its connection serves no other one.
  if (!res.req.complete) headers.push(['Connection', 'close'])
  res.writeHead(answer.statusCode, headers.flat())
  if (find('content-type')?.startsWith('text/event-stream') === true) res.req.socket.setTimeout(0)
  // The headers of a stream show that it is open, long before any data.
  if (find('content-length') === undefined) res.flushHeaders()
  await pipeline(answer.body, res)
}

/**
 * Forwards a request to the old server and streams its response back. The request to the old server is aborted when the
 * client disconnects.
 * @returns the error, where the old server did not answer, or broke off
 */
export async function forward(old: OldServer, req: IncomingMessage, res: ServerResponse): Promise<Error | undefined> {
  const left = new AbortController()
  res.once('close', () => {
    if (!res.writableFinished) left.abort()
  })
  try {
    await answerWith(await ask(old, req, left.signal), res)
    return undefined
  } catch (error) {
    if (left.signal.aborted) return undefined
    const failure = errorOf(error, old)
    if (res.headersSent) res.destroy()
    else answerError(res, failure)
    return failure
  }
}
