import type { IncomingMessage, ServerResponse } from 'node:http'
import { AnswerTooLarge } from '@modelwire/core/connector'
import { type AnswerBounds, writtenPath } from '@modelwire/core/plugin'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { inject, type InjectOptions, type Response } from 'light-my-request'
import { askAdmission } from '../admission.ts'
import { RouteNotFound } from '../errors.ts'
import { holdsSecret, noteSecret } from '../idempotency/idempotent-requests.ts'
import type { BatchRequest } from './batch-request.ts'
import { InvalidBatch } from './errors.ts'
import type { Found } from './find-operation.ts'
import type { Given } from './references.ts'

/** The answer to one request of a batch. */
export interface InnerAnswer extends Given {
  readonly headers: Readonly<Record<string, string>>
}

/** A request of a batch, with what was found to answer it. */
export interface InnerRequest extends Pick<BatchRequest, 'method' | 'headers' | 'body'>, Found {
  /** It ends as soon as its caller is admitted: nothing is carried out. */
  readonly admitsOnly: boolean
}

/** Headers that are about the body, the connection or the answer of the batch: those of its requests are others. */
const notInherited =
  /^(content-.*|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|accept|accept-encoding|if-.*|range|prefer|idempotency-key|x-http-method-override|:.*)$/

/** The headers of an answer that are a part of it, as those of a connection are not. */
const answered = [
  'content-type',
  'etag',
  'link',
  'location',
  'preference-applied',
  'x-total-count',
  'retry-after',
  'idempotency-replayed'
]

/** The types of answers that go on until their readers leave: events, and the lines of a change stream. */
const endless = /^text\/event-stream\b|;\s*boundary=NL\b/i

function inheritedHeaders({ headers }: FastifyRequest): Record<string, string | string[]> {
  const own: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !notInherited.test(name)) own[name] = value
  return own
}

/** A request in the name of whoever sent the batch. */
function injectionOf(outer: FastifyRequest, { method, url, headers, body }: InnerRequest): InjectOptions {
  const hasBody = body !== undefined
  const { remoteAddress } = outer.socket
  return {
    method,
    url,
    headers: {
      ...inheritedHeaders(outer),
      accept: 'application/json',
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
      ...headers
    },
    ...(hasBody ? { payload: JSON.stringify(body) } : {}),
    ...(remoteAddress === undefined ? {} : { remoteAddress })
  }
}

/** @throws {AnswerTooLarge} it does not say how long it is, and has more bytes than an answer may have */
async function readBody(answer: Response, bounds: AnswerBounds): Promise<Buffer> {
  const limit = answer.headers['content-length'] === undefined ? bounds.bytes : Infinity
  const chunks: Buffer[] = []
  let bytes = 0
  const written = answer.stream() as AsyncIterable<Buffer> // as light-my-request makes it
  for await (const chunk of written) {
    bytes += chunk.length
    if (bytes > limit) throw new AnswerTooLarge('bytes', bounds)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Reads an answer to its end. @throws {InvalidBatch} it is a stream, which has none */
async function readAnswer(answer: Response, bounds: AnswerBounds): Promise<InnerAnswer> {
  const type = String(answer.headers['content-type'] ?? '')
  if (endless.test(type)) throw new InvalidBatch('the answer is a stream, which a batch cannot have')
  const body = await readBody(answer, bounds)
  const present = answered.flatMap((name) => {
    const value = answer.headers[name]
    return value === undefined ? [] : [[name, String(value)] as const]
  })
  const isJson = body.length > 0 && /^application\/([\w.-]+\+)?json\b/.test(type)
  const isText = isJson || body.length === 0 || type.startsWith('text/')
  return {
    status: answer.statusCode,
    headers: Object.fromEntries(present),
    text: body.toString(isText ? 'utf8' : 'base64'),
    isJson
  }
}

/** A request on its way. */
interface Exchange {
  readonly request: InnerRequest
  response?: ServerResponse
  /** Present once the route of the operation that was found has it. */
  routed?: FastifyRequest
}

/** Sends a request through the server until it is answered, or `signal` is aborted. */
export type SendWithin = (outer: FastifyRequest, request: InnerRequest, signal: AbortSignal) => Promise<InnerAnswer>

const notFound = ({ request: { method, url } }: Exchange): RouteNotFound =>
  new RouteNotFound(`the method at ${method} ${writtenPath({ url })} is hidden by another route`)

/**
 * Makes the function that sends requests of batches through the server. What it gives throws {@link InvalidBatch} where the answer is a
 * stream, and {@link RouteNotFound} where another route answers than the one that was found. A request that is given up is closed like
 * one whose client leaves.
 */
export function innerSender(scope: FastifyInstance, bounds: AnswerBounds): SendWithin {
  const exchanges = new WeakMap<IncomingMessage, Exchange>()
  scope.addHook('onRequest', (request, _reply, done) => {
    const exchange = exchanges.get(request.raw)
    if (exchange === undefined) return done()
    if (request.routeOptions.config.operation !== exchange.request.operation) return done(notFound(exchange))
    exchange.routed = request
    if (exchange.request.admitsOnly) askAdmission(request)
    return done()
  })
  return async (outer, request, signal) => {
    const exchange: Exchange = { request }
    const closing = new AbortController()
    const close = (): void => {
      closing.abort()
      exchange.response?.destroy()
    }
    const dispatch = (req: IncomingMessage, res: ServerResponse): void => {
      exchange.response = res
      exchanges.set(req, exchange)
      scope.routing(req, res)
    }
    signal.addEventListener('abort', close)
    try {
      const options = { ...injectionOf(outer, request), payloadAsStream: true, signal: closing.signal }
      const answer = await inject(dispatch, options)
      // Hooks of the server may refuse a request before it has a route.
      if (exchange.routed === undefined && answer.statusCode < 400) throw notFound(exchange)
      if (exchange.routed !== undefined && holdsSecret(exchange.routed)) noteSecret(outer)
      return await readAnswer(answer, bounds)
    } catch (error) {
      close()
      throw error
    } finally {
      signal.removeEventListener('abort', close)
    }
  }
}
