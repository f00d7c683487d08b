import { isFunction, type ScriptFunction } from '../script-function.ts'
import type { Handler, Next } from './express-module.ts'

/** An application of Express, or what is called like one. */
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
function follow(answer: unknown, next: unknown): void {
  if (answer instanceof Object && 'then' in answer) void settle(answer, next)
}

async function settle(answer: unknown, next: unknown): Promise<void> {
  try {
    await answer
  } catch (error) {
    if (isFunction(next)) next(error ?? new Error('a handler rejected without an error'))
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

/** A handler of a script as Express gets it. Express recognizes error handlers by their four parameters. */
export function expressHandler(handler: ScriptFunction): ScriptFunction {
  if (isApplication(handler)) return runApplication(handler) as ScriptFunction // Express calls it
  if (handler.length === 4)
    return (error, request, response, next) => follow(handler(error, request, response, next), next)
  return handler.length > 4 ? handler : (request, response, next) => follow(handler(request, response, next), next)
}
