import { createRequire } from 'node:module'
import { join } from 'node:path'
import { isPlainObject } from '@modelwire/server'
import { ScriptFailed } from '../errors.ts'
import { messageOf } from './script-objects.ts'
import { isFunction, type ScriptFunction } from '../callback-bridge.ts'
import type { MiddlewareEntry } from './middleware-entry.ts'

/** Where middleware of an application is found, and how it is loaded. */
export interface MiddlewareSource {
  /** The folder from which files and packages are resolved. */
  readonly serverDir: string
  /** Returns the exports of the script at a path. */
  readonly loadScript: (path: string) => unknown
}

/**
 * Loads the handler of a middleware that is a file of the application, or a package installed in it: its export is called
 * with the parameters.
 * @throws {ScriptFailed} it cannot be loaded, or gives no function
 */
export function loadMiddleware(source: MiddlewareSource, entry: MiddlewareEntry): ScriptFunction {
  const { name, params, moreParams, methods, file, key } = entry
  const [path = '', part] = name.split('#')
  const factory = part === undefined ? source.loadScript(resolveModule(source, path)) : loadPart(source, path, part)
  if (!isFunction(factory)) throw new ScriptFailed(`${name} does not export a middleware factory`, { file, key })
  return forMethods(makeHandler(factory, [params, ...moreParams], entry), methods)
}

/**
 * `package#part` is a file of the package, else a member of what it exports.
 * @see LoopBack 3: loopback-boot, lib/compiler.js, resolveMiddlewarePath
 */
function loadPart(source: MiddlewareSource, path: string, part: string): unknown {
  const file = resolveFrom([source.serverDir], `${path}/server/middleware/${part}`)
  if (file !== undefined) return source.loadScript(file)
  const exports = source.loadScript(resolveModule(source, path))
  return memberOf(exports, part) ?? memberOf(exports, camelCase(part))
}

const camelCase = (name: string): string => name.replace(/-(.)/g, (_dash, letter: string) => letter.toUpperCase())

function resolveModule({ serverDir }: MiddlewareSource, name: string): string {
  return createRequire(join(serverDir, 'package.json')).resolve(name)
}

function memberOf(exports: unknown, name: string): unknown {
  return isFunction(exports) || isPlainObject(exports) ? Reflect.get(exports, name) : undefined
}

function makeHandler(factory: ScriptFunction, params: unknown[], { name, file, key }: MiddlewareEntry): ScriptFunction {
  let handler: unknown
  try {
    handler = factory(...(params.length === 1 && params[0] === undefined ? [] : params))
  } catch (cause) {
    throw new ScriptFailed(`the middleware ${name} cannot be created: ${messageOf(cause)}`, { file, key }, { cause })
  }
  if (isFunction(handler)) return handler
  throw new ScriptFailed(`the export of ${name} does not return a request handler`, { file, key })
}

/**
 * A handler for some methods only; for all if the list is empty, or contains `ALL`.
 * @see LoopBack 3: loopback, lib/server-app.js, middlewareFromConfig
 */
export function forMethods(handler: ScriptFunction, methods: readonly string[]): ScriptFunction {
  const wanted = new Set(methods.map((method) => method.toUpperCase()))
  if (wanted.size === 0 || wanted.has('ALL')) return handler
  const isWanted = (request: unknown): boolean => wanted.has(String(Reflect.get(Object(request), 'method')))
  // Express recognizes error handlers by their four parameters.
  if (handler.length > 3) {
    return (error, request, response, next) => {
      if (isWanted(request)) handler(error, request, response, next)
      else if (isFunction(next)) next(error)
    }
  }
  return (request, response, next) => {
    if (isWanted(request)) handler(request, response, next)
    else if (isFunction(next)) next()
  }
}

/** Resolves a package or a file from the first of `folders` that has it; undefined if none has. */
export function resolveFrom(folders: readonly string[], name: string): string | undefined {
  for (const folder of folders) {
    try {
      return createRequire(join(folder, 'package.json')).resolve(name)
    } catch {
      // Not there: the next folder may have it.
    }
  }
  return undefined
}
