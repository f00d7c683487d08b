import { ExpressNotSupported } from '../errors.ts'
import { readMark, type ScriptMount } from './marked-handler.ts'

/** Mounts known so far, and who mounts now. */
export interface MountList {
  readonly mounts: ScriptMount[]
  /** The script that runs. */
  file: string
}

const routes: unique symbol = Symbol('routes')

/** A router of Express, as far as it holds LoopBack's own handlers. */
export interface ScriptRouter {
  readonly [routes]: readonly ScriptMount[]
}

const verbs = ['use', 'get', 'all', 'post', 'put', 'patch', 'delete', 'head', 'options', 'route', 'param']

/** `loopback.Router()`. */
export function createRouter(current: MountList): ScriptRouter {
  const own: MountList = { mounts: [], file: current.file }
  const add =
    (name: string) =>
    (...args: unknown[]) => {
      own.file = current.file
      mount(own, `router.${name}`, args)
      return router
    }
  const methods = Object.fromEntries(verbs.map((name) => [name, add(name)]))
  const router = Object.assign(() => notSupported(current, 'router()'), methods, { [routes]: own.mounts })
  return router
}

/**
 * Mounts handlers and routers at a path; `args` are those of Express: `path`, then handlers, or handlers alone.
 * @throws {ExpressNotSupported} a handler is not one of LoopBack's own
 */
export function mount(list: MountList, what: string, args: readonly unknown[]): void {
  const [first, ...others] = args
  const path = typeof first === 'string' ? first : '/'
  const handlers = typeof first === 'string' ? others : args
  for (const handler of handlers.flat()) list.mounts.push(...mountsOf(list, handler, what, path))
}

function mountsOf({ file }: MountList, handler: unknown, what: string, path: string): readonly ScriptMount[] {
  const known = readMark(handler)
  if (known !== undefined) return [{ ...known, path, file }]
  if (isRouter(handler)) return handler[routes].map((below) => ({ ...below, path: joinPaths(path, below.path) }))
  return notSupported({ file }, what)
}

function isRouter(value: unknown): value is ScriptRouter {
  return typeof value === 'function' && routes in value
}

function joinPaths(root: string, path: string): string {
  return `/${root}/${path}`.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1')
}

/** @throws {ExpressNotSupported} always */
export function notSupported({ file }: { file: string }, what: string): never {
  throw new ExpressNotSupported(`${what} needs Express, which a later release brings`, { file })
}
