import {
  createStack,
  type ErrorHandler,
  type ExpressModule,
  type ExpressStack,
  type FastifySides,
  type Handler,
  handlerNames,
  hookLayer,
  installScriptObjects,
  loadExpress,
  loadMiddleware,
  type MiddlewareEntry,
  needsExpress,
  registerExpress
} from '@modelwire/loopback/express'
import type { Building } from './building.ts'
import { loadScript } from '../../read/files/load-script.ts'

/** The Express middleware that was mounted. */
export interface MountedExpress {
  /** Labels for the report. */
  readonly labels: readonly string[]
  /** Runs the application's middleware after the REST API with an error of it; undefined if there is none. */
  readonly handleError: ErrorHandler | undefined
}

/**
 * Presents requests and responses to scripts as Express does, and runs the application's Express middleware, from files and
 * scripts. Express is not loaded for an application that has none.
 * @throws {ScriptFailed} middleware cannot be loaded
 * @throws {ScriptArgumentInvalid} Express refuses a path or a handler
 */
export async function mountExpress(building: Building, restPaths: readonly string[]): Promise<MountedExpress> {
  const { application, plan, mounts, server, app } = building
  installScriptObjects(server.models)
  const { foreign, bodyParsers } = plan
  if (foreign.length === 0 && !needsExpress(mounts.calls)) {
    noteBodyParsers(building)
    return { labels: [], handleError: undefined }
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
  const hook = building.context.requestHooks.get(handlerNames.token)
  const tokenLayer = hook && hookLayer(hook, sides)
  const parts = { express, tokenLayer, entries: application.middleware, handlers, calls, phases }
  const makeStack = (first: Handler): ExpressStack => createStack(parts, first)
  const handleError = await registerExpress(server, { express, makeStack, restPaths, app, sides })
  const ofScripts = needsExpress(calls) ? ['Express of scripts'] : []
  return { labels: [...foreign.map(({ name }) => `${name} (Express)`), ...ofScripts], handleError }
}

function noteBodyParsers({ application, plan }: Building): void {
  for (const { file, key } of plan.bodyParsers) {
    const reason = 'bodies are parsed by the REST API, as configured by remoting in config.json'
    application.add('ignored', { file, key }, reason, {
      effect: 'info',
      advice: 'no action needed, or remove the entry'
    })
  }
}

/** Parsers of bodies are part of Express. */
function parserOf({ name, params }: MiddlewareEntry, express: ExpressModule): unknown {
  const json = (): unknown => express.json(params)
  const urlencoded = (): unknown => express.urlencoded({ extended: true, ...Object(params) })
  if (name === 'body-parser#json') return json()
  return name === 'body-parser#urlencoded' ? urlencoded() : [json(), urlencoded()]
}
