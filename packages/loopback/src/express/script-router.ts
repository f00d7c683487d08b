import { ExpressNotSupported, ScriptArgumentInvalid } from '../errors.ts'
import { isFunction } from '../callback-bridge.ts'
import { readMark, type ScriptMount } from './marked-handler.ts'

/** A script's call on the application, or on a router, as in Express. */
export interface ExpressCall {
  /** `use`, `get`, `param` and so on. */
  readonly method: string
  readonly args: readonly unknown[]
  /** The middleware phase; undefined: first in `routes`. */
  readonly phase: string | undefined
  /** LoopBack's own handlers among its arguments, and their positions. */
  readonly marks: readonly ScriptMount[]
  /** The script. */
  readonly file: string
}

/** Mounts so far, and the current script. */
export interface MountList {
  /** LoopBack's own handlers. */
  readonly mounts: ScriptMount[]
  /** All calls, in order. */
  readonly calls: ExpressCall[]
  /** The current script. */
  file: string
  /** Called for mounts that are too late; undefined until then. */
  onLate?: ((method: string) => void) | undefined
}

const own: unique symbol = Symbol('own')

/** A router as returned by `loopback.Router()`: it records the calls on it. */
export interface ScriptRouter {
  readonly [own]: MountList
}

/** The methods of Express that add handlers, other than `use` and `get`. */
export const verbs: readonly string[] = ['all', 'post', 'put', 'patch', 'delete', 'head', 'options']

/** Implements `loopback.Router()`. */
export function createRouter(current: MountList): ScriptRouter {
  const list: MountList = { mounts: [], calls: [], file: current.file }
  const named = ['use', 'get', 'param', ...verbs].map((method) => {
    const add = (...args: unknown[]): ScriptRouter => {
      list.file = current.file
      mount(list, method, args)
      return router
    }
    return [method, add] as const
  })
  const refuse = (): never => {
    throw new ExpressNotSupported('a router must be mounted, not called', { file: current.file })
  }
  const route = (path: unknown): RouteCalls => createRoute(list, path)
  const router: ScriptRouter = Object.assign(refuse, Object.fromEntries(named), { route, [own]: list })
  return router
}

/** The result of `app.route(path)`: the methods of Express without their path. */
export type RouteCalls = Readonly<Record<string, (...handlers: unknown[]) => RouteCalls>>

/** Implements `app.route(path)`. */
export function createRoute(list: MountList, path: unknown): RouteCalls {
  const named = ['get', ...verbs].map((method) => {
    const add = (...handlers: unknown[]): RouteCalls => {
      mount(list, method, [path, ...handlers])
      return route
    }
    return [method, add] as const
  })
  const route: RouteCalls = Object.fromEntries(named)
  return route
}

/**
 * Records a call on an application or a router of Express: `path`, followed by handlers, or handlers only.
 * @throws {ScriptArgumentInvalid} a handler is not a function
 */
export function mount(list: MountList, method: string, args: readonly unknown[], phase?: string): void {
  const [first] = args
  const { file } = list
  const handlers = (isHandler(first) ? args : args.slice(1)).flat(Infinity)
  // Express 4 takes an expression in place of a function for parameters, where a function of the application lets it.
  const areFunctions = method === 'param' || handlers.every(isFunction)
  if ((handlers.length === 0 && method === 'use') || !areFunctions) {
    throw new ScriptArgumentInvalid(`${method} requires a handler: a function with request, response and next`, {
      file
    })
  }
  if (list.onLate !== undefined) {
    list.onLate(method)
    return
  }
  const path = typeof first === 'string' ? first : '/'
  const marks = handlers.flatMap((handler) => marksOf(handler, { path, phase, file }))
  list.mounts.push(...marks)
  list.calls.push({ method, args, phase, marks, file })
}

function isHandler(value: unknown): boolean {
  return isFunction(value) || (Array.isArray(value) && value.flat().every(isFunction))
}

function marksOf(handler: unknown, place: Pick<ScriptMount, 'path' | 'phase' | 'file'>): readonly ScriptMount[] {
  const mark = readMark(handler)
  if (mark !== undefined) return [{ ...mark, ...place }]
  if (!isRouter(handler)) return []
  const { path, phase } = place
  return handler[own].mounts.map((below) => ({ ...below, phase, path: joinPaths(path, below.path) }))
}

/** True for a router made by `createRouter`. */
export function isRouter(value: unknown): value is ScriptRouter {
  return typeof value === 'function' && own in value
}

/** The calls on a router. */
export function callsOf(router: ScriptRouter): readonly ExpressCall[] {
  return router[own].calls
}

/** True if calls contain more than LoopBack's own handlers: only then Express is needed. */
export function needsExpress(calls: readonly ExpressCall[]): boolean {
  return calls.some(({ args }) =>
    args
      .flat(2)
      .filter(isFunction)
      .some((handler) => (isRouter(handler) ? needsExpress(callsOf(handler)) : readMark(handler) === undefined))
  )
}

function joinPaths(root: string, path: string): string {
  return `/${root}/${path}`.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1')
}
