import type { IncomingMessage, ServerResponse } from 'node:http'
import type { OperationContext } from '@modelwire/core'
import { AnswerTooLarge, type AnswerBounds } from '@modelwire/core/connector'
import { writtenPath } from '@modelwire/server'
import type { FastifyRequest } from 'fastify'
import { inject, type InjectOptions, type Response } from 'light-my-request'
import { InvalidBatch, RouteNotFound } from '../../errors.ts'
import { markInner } from '../../http-context.ts'
import { problemType, wantsProblems } from '../../output/error-format.ts'
import { isJsonType } from '../../output/write-any-json.ts'
import { holdsSecret, noteSecret } from '../idempotency/idempotent-requests.ts'
import type { Mounting } from '../layer.ts'
import { askAdmission } from './admission.ts'
import type { BatchRequest } from './batch-request.ts'
import type { Found } from './find-operation.ts'
import type { Given } from './references.ts'

/** The response to one request of a batch. */
export interface InnerAnswer extends Given {
  readonly headers: Readonly<Record<string, string>>
  /** The call that produced it; absent if there was none. */
  readonly context?: OperationContext | null
}

/** A request of a batch, with the route found for it. */
export interface InnerRequest extends Pick<BatchRequest, 'method' | 'headers' | 'body'>, Found {
  /** It ends as soon as its caller is admitted: nothing is executed. */
  readonly admitsOnly: boolean
}

/** Headers that are about the body, the connection or the answer of the batch: those of its requests are others. */
const notInherited =
  /^(content-.*|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|accept|accept-encoding|if-.*|range|x-http-method-override|:.*)$/

/** The types of answers that go on until their readers leave: events, and the lines of a change stream. */
const endless = /^text\/event-stream\b|;\s*boundary=NL\b/i

/** @param own names of those that each request may have */
function inheritedHeaders({ headers }: FastifyRequest, own: readonly string[]): Record<string, string | string[]> {
  const inherited: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !notInherited.test(name) && !own.includes(name)) inherited[name] = value
  return inherited
}

/** A request in the name of whoever sent the batch. */
function injectionOf(
  outer: FastifyRequest,
  { method, url, headers, body }: InnerRequest,
  own: readonly string[]
): InjectOptions {
  const hasBody = body !== undefined
  const { remoteAddress } = outer.socket
  return {
    method,
    url,
    headers: {
      ...inheritedHeaders(outer, own),
      accept: wantsProblems(outer.headers.accept) ? `application/json, ${problemType}` : 'application/json',
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

type SendingParts = Pick<Mounting, 'scope' | 'bounds' | 'headers'>

/** Reads an answer to its end. @throws {InvalidBatch} it is a stream, which has none */
async function readAnswer(answer: Response, { bounds, headers }: SendingParts): Promise<InnerAnswer> {
  const type = String(answer.headers['content-type'] ?? '')
  if (endless.test(type)) throw new InvalidBatch('the response is a stream, which a batch cannot contain')
  const body = await readBody(answer, bounds)
  // The headers that are a part of an answer, as those of a connection are not.
  const present = ['content-type', 'retry-after', ...headers.response].flatMap((name) => {
    const value = answer.headers[name]
    return value === undefined ? [] : [[name, String(value)] as const]
  })
  const isJson = body.length > 0 && isJsonType(type)
  const isText = isJson || body.length === 0 || type.startsWith('text/')
  return {
    status: answer.statusCode,
    headers: Object.fromEntries(present),
    text: body.toString(isText ? 'utf8' : 'base64'),
    isJson
  }
}

/** A request in progress. */
interface Exchange {
  readonly request: InnerRequest
  response?: ServerResponse
  /** Set once the found operation's route has received it. */
  routed?: FastifyRequest
}

/** Sends a request through the server until it is answered, or `signal` is aborted. */
export type SendWithin = (outer: FastifyRequest, request: InnerRequest, signal: AbortSignal) => Promise<InnerAnswer>

const notFound = ({ request: { method, url } }: Exchange): RouteNotFound =>
  new RouteNotFound(`the method at ${method} ${writtenPath({ url })} is hidden by another route`)

/**
 * Makes the function that sends requests of batches through the server. That function throws {@link InvalidBatch} if the
 * response is a stream, and {@link RouteNotFound} if another route answers than the one that was found. An abandoned
 * request is closed like one whose client disconnects.
 */
export function innerSender(parts: SendingParts): SendWithin {
  const { scope, headers } = parts
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
      markInner(req)
      scope.routing(req, res)
    }
    signal.addEventListener('abort', close)
    try {
      const options = { ...injectionOf(outer, request, headers.request), payloadAsStream: true, signal: closing.signal }
      const answer = await inject(dispatch, options)
      // Hooks of the server may refuse a request before it has a route.
      if (exchange.routed === undefined && answer.statusCode < 400) throw notFound(exchange)
      if (exchange.routed !== undefined && holdsSecret(exchange.routed)) noteSecret(outer)
      return { ...(await readAnswer(answer, parts)), context: exchange.routed?.operationContext ?? null }
    } catch (error) {
      close()
      throw error
    } finally {
      signal.removeEventListener('abort', close)
    }
  }
}
