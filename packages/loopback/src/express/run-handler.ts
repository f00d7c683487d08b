import { isFunction, runCall, type ScriptFunction } from '../callback-bridge.ts'
import type { Handler, Next } from './express-module.ts'

/** An Express application, or a similar callable. */
interface SubApplication {
  readonly handle: Handler
  readonly emit: (event: string, ...args: unknown[]) => unknown
  mountpath: unknown
  parent: unknown
}

/** True for applications that a script mounts: a handler of requests that has settings. */
function isApplication(value: unknown): value is SubApplication & ScriptFunction {
  return isFunction(value) && ['handle', 'set', 'emit'].every((name) => isFunction(Reflect.get(value, name)))
}

/** Sets the mount path of a mounted application and emits `mount`, as Express does. */
export function emitMount(handlers: readonly unknown[], path: unknown, parent: unknown): void {
  for (const handler of handlers.flat(2).filter(isApplication)) {
    Object.assign(handler, { mountpath: path, parent })
    handler.emit('mount', parent)
  }
}

/** The rejection of an asynchronous handler is an error of the request. */
function follow(answer: unknown, refuse: (error: unknown) => void): void {
  if (answer instanceof Object && 'then' in answer) void settle(answer, refuse)
}

async function settle(answer: unknown, refuse: (error: unknown) => void): Promise<void> {
  try {
    await answer
  } catch (error) {
    refuse(error)
  }
}

const prototypeOf = (object: object): object => Object.getPrototypeOf(object) as object // requests and responses have one

/** What an application made of a request and a response ends with it. */
function runApplication(application: SubApplication): Handler {
  return (request, response, next) => {
    const [requestBefore, responseBefore, { app }] = [prototypeOf(request), prototypeOf(response), request]
    const goOn: Next = (error) => {
      Object.setPrototypeOf(request, requestBefore)
      Object.setPrototypeOf(response, responseBefore)
      Object.assign(request, { app })
      next(error)
    }
    application.handle(request, response, goOn)
  }
}

/** The parts of a response, and of its request, that calls read. */
interface Handled {
  readonly headersSent: boolean
  readonly req?: { readonly log?: { readonly warn: (fields: object, message: string) => void } }
}

/**
 * Calls a handler so that what its callbacks throw, and what it rejects with, is an error of the request, as what it throws itself.
 * Once the request went on or is answered, that is a warning.
 */
function call(handler: ScriptFunction, args: readonly unknown[], of: readonly unknown[]): void {
  const [response, next] = of as [Handled, Next] // Express passes them
  let left = false
  const goOn: Next = (error) => {
    left = true
    next(error)
  }
  const fail = (error: unknown): boolean => {
    const isWaiting = !left && !response.headersSent
    if (isWaiting) goOn(error ?? new Error('a handler failed without an error'))
    return isWaiting
  }
  const log = response.req?.log
  const warn =
    log && ((error: unknown) => log.warn({ err: error }, 'an Express handler failed after the response was sent'))
  const refuse = (error: unknown): void => {
    if (!fail(error)) warn?.(error)
  }
  runCall({ fail, warn }, () => follow(handler(...args, goOn), refuse))
}

/** Wraps a script's handler for Express, which recognizes error handlers by their four parameters. */
export function expressHandler(handler: ScriptFunction): ScriptFunction {
  if (isApplication(handler)) return runApplication(handler) as ScriptFunction // Express calls it
  if (handler.length > 4) return handler
  if (handler.length === 4)
    return (error, request, response, next) => call(handler, [error, request, response], [response, next])
  return (request, response, next) => call(handler, [request, response], [response, next])
}
