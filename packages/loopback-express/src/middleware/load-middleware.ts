import { createRequire } from 'node:module'
import { join } from 'node:path'
import { isPlainObject } from '@modelwire/core/plugin'
import { ScriptFailed } from '../errors.ts'
import { messageOf } from '../message-of.ts'
import { resolveFrom } from '../resolve-from.ts'
import { isFunction, type ScriptFunction } from '../script-function.ts'
import type { MiddlewareEntry } from './middleware-entry.ts'

/** Where middleware of an application is found, and who loads it. */
export interface MiddlewareSource {
  /** Files and packages are found from here. */
  readonly serverDir: string
  /** What the script at a path exports. */
  readonly loadScript: (path: string) => unknown
}

/**
 * The handler of a middleware that is a file of the application, or a package beside it: what it exports is called with
 * the parameters.
 * @throws {ScriptFailed} it cannot be loaded, or gives no function
 */
export function loadMiddleware(source: MiddlewareSource, entry: MiddlewareEntry): ScriptFunction {
  const { name, params, moreParams, methods, file, key } = entry
  const [path = '', part] = name.split('#')
  const factory = part === undefined ? source.loadScript(resolveModule(source, path)) : loadPart(source, path, part)
  if (!isFunction(factory)) throw new ScriptFailed(`${name} exports no function that makes middleware`, { file, key })
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
    throw new ScriptFailed(`the middleware ${name} cannot be made: ${messageOf(cause)}`, { file, key }, { cause })
  }
  if (isFunction(handler)) return handler
  throw new ScriptFailed(`what ${name} exports makes no handler of requests`, { file, key })
}

/**
 * A handler for some methods only; for all when the list is empty, or holds `ALL`.
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
