import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import type { Awaitable } from '../promises.ts'
import { type IncomingMessage, validateHeaderName, validateHeaderValue } from 'node:http'
import { Socket } from 'node:net'
import { ApiError } from '../errors.ts'

/** No operation matches this verb and path: is the model public, and the method shared? */
export class RouteNotFound extends ApiError.with({ code: 'ROUTE_NOT_FOUND', statusCode: 404, hidesCode: true }) {}

/** A method or hook sets a status that is not a final response status, or a header whose name or value is invalid in HTTP. */
export class InvalidAnswer extends ApiError.with({ code: 'ANSWER_INVALID', statusCode: 500, hidesCode: true }) {}

type Query = Readonly<Record<string, unknown>>

const replaced = new WeakMap<IncomingMessage, Query>()

/** The query that middleware substituted for that of the URL; undefined if none did. */
export const replacedQuery = (request: IncomingMessage): Query | undefined => replaced.get(request)

/** What is read of a body that nobody wants before the connection is cut. */
const limits = { bytes: 16 * 1024 * 1024, milliseconds: 10_000 }

/** Streams of HTTP/2 end by themselves, and requests of `inject` have no connection. */
const isSending = ({ complete, socket, httpVersionMajor }: IncomingMessage): boolean =>
  !complete && httpVersionMajor === 1 && socket instanceof Socket

/** True once a response has started: no other one can be sent. */
export const isAnswered = (reply: FastifyReply): boolean =>
  reply.sent || reply.raw.headersSent || reply.raw.writableEnded

/** Work on a response that is about to be sent; returns a promise only if it is asynchronous. */
type AnswerWork = (request: FastifyRequest, reply: FastifyReply, payload: unknown) => Awaitable<void>

/** An `onSend` hook that never changes the response: only `answerHook` makes one. */
export type AnswerHook = onSendHookHandler & { readonly [keepsAnswer]: true }

const keepsAnswer: unique symbol = Symbol('keeps the answer')

/**
 * Makes an `onSend` hook: the only way to act on a response before it is sent. It may set headers. By now the request was
 * executed, so that an error must not replace its response: a client that sees a failure repeats the request. Whatever
 * `work` throws is logged, and the response sent as is.
 * @param task names the work in the log
 */
export function answerHook(task: string, work: AnswerWork): AnswerHook {
  const report = (err: unknown, { log }: FastifyRequest): void =>
    log.error({ err, task }, 'a task for a response failed; the response is still sent')
  const settle = async (working: Promise<void>, request: FastifyRequest, done: () => void): Promise<void> => {
    try {
      await working
    } catch (error) {
      report(error, request)
    }
    done()
  }
  const hook: onSendHookHandler = (request, reply, payload, done) => {
    const finish = (): void => done(null, payload)
    let working: Awaitable<void> = undefined
    try {
      working = work(request, reply, payload)
    } catch (error) {
      report(error, request)
    }
    if (working instanceof Promise) void settle(working, request, finish)
    else finish()
  }
  return Object.assign(hook, { [keepsAnswer]: true as const })
}

/**
 * Reads the rest of an unwanted body, so that the client receives the response, and the next request on the connection
 * starts where this one ends (RFC 9112, 9.3 and 9.6). A client that sends too much, or for too long, is disconnected.
 */
export function passOver(request: IncomingMessage, { bytes, milliseconds } = limits): void {
  const { socket } = request
  if (!isSending(request)) return
  let left = bytes
  const count = (chunk: Buffer): void => {
    left -= chunk.length
    if (left < 0) cut()
  }
  const stop = (): void => {
    clearTimeout(timer)
    request.off('data', count)
  }
  const cut = (): void => {
    stop()
    socket.destroySoon()
  }
  const timer = setTimeout(cut, milliseconds).unref()
  request.on('data', count)
  for (const event of ['end', 'close', 'error'] as const) request.once(event, stop)
  request.resume()
}

/** Sends an error while the client is still sending: the connection stays open until it has sent the rest. */
export function answerWhileSending({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (!isSending(raw)) return
  // Fastify would close it, and what is unread then takes the answer with it.
  void reply.removeHeader('connection')
  passOver(raw)
}

/** Makes a request be read as if its client had sent another query: middleware of an application set one. */
export function replaceQuery(request: IncomingMessage, query: Query): void {
  replaced.set(request, query)
}

/**
 * Validates `status` as a final response status: 200 to 599, or a string of it. Node would refuse others when the response
 * is being sent, too late for another one.
 * @throws {InvalidAnswer} no answer ends with it
 */
export function checkStatus(status: unknown): number {
  const code = typeof status === 'string' ? Number(status) : status
  if (typeof code === 'number' && Number.isInteger(code) && code >= 200 && code <= 599) return code
  throw new InvalidAnswer(`${String(status)} is not a valid response status`)
}

/**
 * Validates a header before it is set, since Node would later refuse all headers.
 * @throws {InvalidAnswer} the name is not a token, or a value has characters that headers do not have
 * @see RFC 9110 section 5.5
 */
export function checkHeader(name: string, value: unknown): void {
  const fault = headerFault(name, value)
  if (fault === undefined) return
  throw new InvalidAnswer(`the header ${JSON.stringify(name)} is invalid`, { cause: fault })
}

/** True for a header that can be sent. */
export function isHeader(name: string, value: unknown): boolean {
  return headerFault(name, value) === undefined
}

function headerFault(name: string, value: unknown): unknown {
  try {
    validateHeaderName(name)
    // Whatever code of the application set: the function refuses what is not a string.
    for (const item of [value].flat()) validateHeaderValue(name, item as string)
    return undefined
  } catch (fault) {
    return fault
  }
}
