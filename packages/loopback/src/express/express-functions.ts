import { isAnswered, RouteNotFound, writtenPath } from '@modelwire/server'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A function of a request or a response, as called by scripts. */
type AnyFunction = (...args: unknown[]) => unknown

/** Functions by name; each reads its own arguments. */
export type FunctionsByName = Readonly<Record<string, (...args: never[]) => unknown>>

/** Functions of Express's response that are taken from there. */
const borrowedByResponse = [
  'append',
  'attachment',
  'clearCookie',
  'cookie',
  'download',
  'format',
  'jsonp',
  'links',
  'render',
  'sendFile',
  'sendfile'
] as const
const borrowedByRequest = [
  'accepts',
  'acceptsCharset',
  'acceptsCharsets',
  'acceptsEncoding',
  'acceptsEncodings',
  'acceptsLanguage',
  'acceptsLanguages',
  'is',
  'param',
  'range'
] as const

/** They have a use after the answer, too: `render` may be given a callback for the page. */
const lasting: ReadonlySet<string> = new Set(['get', 'render'])

const failed: unique symbol = Symbol('failed')

/** True once a function of the response failed, and was answered with an error. */
export const hasFailed = ({ raw }: FastifyReply): boolean => failed in raw

/** Answers an uncaught error; logs it where an answer was sent already. */
function fail(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (isAnswered(reply)) {
    request.log.warn({ err: error }, 'the response failed after it was sent')
    return
  }
  Object.defineProperty(reply.raw, failed, { value: true })
  // Whatever was thrown: the handler takes it.
  request.server.errorHandler(error as Error, request, reply)
}

/** Express's `req.next`, to which functions of the response report: without an error, the request is unanswered. */
export function nextFunction(request: FastifyRequest, reply: FastifyReply): (error?: unknown) => void {
  return (error) => {
    const nothing = error === undefined || error === null
    fail(
      nothing ? new RouteNotFound(`no handler for ${request.method} ${writtenPath(request)}`) : error,
      request,
      reply
    )
  }
}

const prototypeOf = (object: object): object => Object.getPrototypeOf(object) as object // requests and responses have one

/** A function of Express itself: of the object that Express had before, or of the application's Express. */
function functionOfExpress(
  raw: object,
  app: object,
  side: 'request' | 'response',
  name: string
): AnyFunction | undefined {
  const prototype: unknown = Reflect.get(app, side)
  const own: unknown = Reflect.get(Object(prototype), name) ?? Reflect.get(prototypeOf(raw), name)
  return typeof own === 'function' ? (own as AnyFunction) : undefined // it is a function
}

function borrow(
  raw: object,
  app: object,
  side: 'request' | 'response',
  names: readonly string[]
): Readonly<Record<string, AnyFunction>> {
  const available = names.filter((name) => side in app || Reflect.has(prototypeOf(raw), name))
  // Express is loaded at the first call, not before.
  const call = (name: string, args: readonly unknown[]): unknown => {
    const own = functionOfExpress(raw, app, side, name)
    if (own === undefined) throw new TypeError(`Express has no ${side}.${name}`)
    const application: unknown = Reflect.get(Object(Reflect.get(app, side)) as object, 'app') // an object of anything
    if (side === 'response' && application !== undefined) Object.assign(raw, { app: application })
    return own.apply(raw, [...args])
  }
  return Object.fromEntries(available.map((name) => [name, (...args: unknown[]) => call(name, args)]))
}

const appOf = ({ raw }: FastifyRequest): object => Object(Reflect.get(raw, 'app')) as object // objects are made of anything

/** Functions of Express's request that only need the request. */
export function borrowForRequest(request: FastifyRequest): FunctionsByName {
  return borrow(request.raw, appOf(request), 'request', borrowedByRequest)
}

/** Functions of Express's response that are not replaced here. */
export function borrowForResponse(request: FastifyRequest, reply: FastifyReply): FunctionsByName {
  return borrow(reply.raw, appOf(request), 'response', borrowedByResponse)
}

/**
 * Makes functions of a response safe at any time: scripts also call them in timers and callbacks, where an exception would
 * crash the process. An error is sent as the response; calls after the response have no effect, and are logged.
 */
export function makeSafe(functions: FunctionsByName, request: FastifyRequest, reply: FastifyReply): FunctionsByName {
  const safe =
    (name: string, run: FunctionsByName[string]): AnyFunction =>
    (...args) => {
      if (!lasting.has(name) && isAnswered(reply)) {
        request.log.warn(`res.${name} was called after the response was sent: it had no effect`)
        return reply.raw
      }
      try {
        return run(...(args as never[])) // whatever the script passes
      } catch (error) {
        fail(error, request, reply)
        return reply.raw
      }
    }
  return Object.fromEntries(Object.entries(functions).map(([name, run]) => [name, safe(name, run)]))
}
