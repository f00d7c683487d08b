import { isPlainObject } from '@modelwire/server'
import { ScriptArgumentInvalid } from '../errors.ts'
import { forMethods } from './load-middleware.ts'
import { orderPhases, phaseOf } from './middleware-entry.ts'
import { isFunction, type ScriptFunction } from '../callback-bridge.ts'
import { emitMount } from './run-handler.ts'
import type { ExpressHost } from './express-host.ts'
import { createRoute, mount, type MountList, verbs } from './script-router.ts'

/** What scripts mount on the application. */
export interface AppMounts extends MountList {
  /** Phases of middleware in order; scripts may add some. */
  phases: readonly string[]
  readonly host: ExpressHost
}

/** A method that returns its object. */
function chained(run: (...args: unknown[]) => void): ScriptFunction {
  return function (this: unknown, ...args) {
    run(...args)
    return this
  }
}

/** The members of the application object that come from Express, and LoopBack's middleware phases. */
export function expressMembers(mounts: AppMounts): Record<string, unknown> {
  const { host } = mounts
  const calls = ['param', ...verbs].map((method) => {
    return [method, chained((...args) => mount(mounts, method, args))] as const
  })
  return {
    ...Object.fromEntries(calls),
    use(this: unknown, ...args: unknown[]) {
      mount(mounts, 'use', args)
      emitMount(args, typeof args[0] === 'function' ? '/' : args[0], this)
      return this
    },
    locals: host.locals,
    route: (path: unknown) => createRoute(mounts, path),
    engine: chained((extension, engine) => host.engine(String(extension), engine)),
    render: (name: unknown, options: unknown, callback: unknown) => host.render(String(name), options, callback),
    middleware: chained((phase, paths, handler) => addMiddleware(mounts, phase, paths, handler)),
    middlewareFromConfig: chained((factory, config) => configureMiddleware(mounts, factory, config)),
    defineMiddlewarePhases: chained((names) => addPhases(mounts, names))
  }
}

/** @throws {ScriptArgumentInvalid} there is no such phase, or no handler */
function addMiddleware(mounts: AppMounts, phase: unknown, paths: unknown, handler: unknown): void {
  const { file, phases } = mounts
  if (typeof phase !== 'string' || !phases.includes(phaseOf(phase))) {
    throw new ScriptArgumentInvalid(`unknown phase of middleware ${String(phase)}`, { file })
  }
  const args = handler === undefined && isFunction(paths) ? [paths] : [paths, handler]
  mount(mounts, 'use', args, phase)
}

/** @see LoopBack 3: loopback, lib/server-app.js, middlewareFromConfig */
function configureMiddleware(mounts: AppMounts, factory: unknown, config: unknown): void {
  const { file } = mounts
  if (!isFunction(factory) || !isPlainObject(config)) {
    throw new ScriptArgumentInvalid('middlewareFromConfig requires a function and an object', { file })
  }
  const { enabled, phase, paths, params = [], methods, verbs: other } = config
  if (enabled === false) return
  const handler = factory(...[params].flat())
  if (!isFunction(handler)) throw new ScriptArgumentInvalid('the function must return a handler', { file })
  const wanted = [methods ?? other ?? []].flat().map(String)
  const places = Array.isArray(paths) && paths.length === 0 ? '/' : (paths ?? '/')
  addMiddleware(mounts, phase, places, forMethods(handler, wanted))
}

/** @see LoopBack 3: loopback, lib/server-app.js, defineMiddlewarePhases */
function addPhases(mounts: AppMounts, names: unknown): void {
  const { file, phases } = mounts
  const routes = phases.indexOf('routes')
  // LB3: one phase alone comes before the one that precedes `routes`.
  mounts.phases = Array.isArray(names)
    ? orderPhases(names.map(String), () => file, phases)
    : phases.toSpliced(routes - 1, 0, String(names))
}
