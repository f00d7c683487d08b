import {
  createStack,
  type ExpressModule,
  type FastifySides,
  handlerNames,
  hookLayer,
  installScriptObjects,
  isFunction,
  loadExpress,
  loadMiddleware,
  type MiddlewareEntry,
  needsExpress,
  registerExpress
} from '@modelwire/loopback-express'
import type { Building } from '../building.ts'
import { loadScript } from '../scripts/load-script.ts'

/**
 * Shows scripts requests and responses as Express does, and runs the middleware of Express that an application has, in its
 * files and in its scripts. Returns what it was, for the
 * report. Express is not loaded for an application that has none.
 * @throws {ScriptFailed} middleware cannot be loaded
 * @throws {ScriptArgumentInvalid} Express refuses a path or a handler
 */
export async function mountExpress(building: Building, restPaths: readonly string[]): Promise<string[]> {
  const { application, plan, mounts, server, app } = building
  installScriptObjects(server.models)
  const { foreign, bodyParsers } = plan
  if (foreign.length === 0 && !needsExpress(mounts.calls)) {
    noteBodyParsers(building)
    return []
  }
  const express = loadExpress()
  mounts.host.start()
  const handlers = new Map<MiddlewareEntry, unknown>(bodyParsers.map((entry) => [entry, parserOf(entry, express)]))
  const sides: FastifySides = new WeakMap()
  for (const entry of application.middleware) {
    const hook = building.context.requestHooks.get(entry.name)
    if (hook !== undefined) handlers.set(entry, hookLayer(hook, sides))
  }
  const { folder } = application
  const source = { serverDir: folder.serverDir, loadScript: (path: string) => loadScript(folder, path) }
  for (const entry of foreign) handlers.set(entry, loadMiddleware(source, entry))
  const { phases, calls } = mounts
  noteErrorHandlers(building, handlers)
  const hook = building.context.requestHooks.get(handlerNames.token)
  const tokenLayer = hook && hookLayer(hook, sides)
  const parts = { express, tokenLayer, entries: application.middleware, handlers, calls, phases }
  await registerExpress(server, { express, makeStack: (first) => createStack(parts, first), restPaths, app, sides })
  return [...foreign.map(({ name }) => `${name} (Express)`), ...(needsExpress(calls) ? ['Express of scripts'] : [])]
}

function noteBodyParsers({ application, plan }: Building): void {
  for (const { file, key } of plan.bodyParsers) {
    const reason = 'bodies are read by the REST API, by the options of remoting in config.json'
    application.add('ignored', { file, key }, reason, { effect: 'info', advice: 'nothing, or remove the entry' })
  }
}

function noteErrorHandlers(
  { application: { add }, mounts }: Building,
  handlers: ReadonlyMap<MiddlewareEntry, unknown>
): void {
  const reason = 'it hears of errors of middleware: those of the REST API are answered by the REST API'
  for (const [{ file, key }, handler] of handlers) if (handlesErrors(handler)) add('differs', { file, key }, reason)
  for (const { file, args, method } of mounts.calls)
    if (args.flat().some(handlesErrors)) add('differs', { file, key: `app.${method}` }, reason)
}

/** Express recognizes error handlers by their four parameters. */
function handlesErrors(handler: unknown): boolean {
  return isFunction(handler) && handler.length === 4
}

/** Parsers of bodies are part of Express. */
function parserOf({ name, params }: MiddlewareEntry, express: ExpressModule): unknown {
  const json = (): unknown => express.json(params)
  const urlencoded = (): unknown => express.urlencoded({ extended: true, ...Object(params) })
  if (name === 'body-parser#json') return json()
  return name === 'body-parser#urlencoded' ? urlencoded() : [json(), urlencoded()]
}
