import { isPlainObject } from '@modelwire/core/plugin'
import { ScriptArgumentInvalid } from '../errors.ts'
import { forMethods } from '../middleware/load-middleware.ts'
import { orderPhases, phaseOf } from '../middleware/phase-order.ts'
import { isFunction, type ScriptFunction } from '../script-function.ts'
import { emitMount } from '../middleware/run-handler.ts'
import type { ExpressHost } from '../views/express-host.ts'
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

/** The members of the application object that come from Express, and LoopBack's phases of middleware. */
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
    throw new ScriptArgumentInvalid(`there is no phase of middleware named ${String(phase)}`, { file })
  }
  const args = handler === undefined && isFunction(paths) ? [paths] : [paths, handler]
  mount(mounts, 'use', args, phase)
}

/** @see LoopBack 3: loopback, lib/server-app.js, middlewareFromConfig */
function configureMiddleware(mounts: AppMounts, factory: unknown, config: unknown): void {
  const { file } = mounts
  if (!isFunction(factory) || !isPlainObject(config)) {
    throw new ScriptArgumentInvalid('middlewareFromConfig needs a function and an object', { file })
  }
  const { enabled, phase, paths, params = [], methods, verbs: other } = config
  if (enabled === false) return
  const handler = factory(...[params].flat())
  if (!isFunction(handler)) throw new ScriptArgumentInvalid('the function given makes no handler', { file })
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
