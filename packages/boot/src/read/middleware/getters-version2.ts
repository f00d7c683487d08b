import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { AppFolder } from '../files/app-folder.ts'
import { UnknownMiddleware } from '../../errors.ts'
import { moduleExists } from './resolve-module.ts'

/**
 * Middleware that the framework object of version 2 has, with the packages that they come from.
 * @see LoopBack 2: lib/express-middleware.js
 */
const packages: ReadonlyMap<string, string> = new Map([
  ['compress', 'compression'],
  ['cookieParser', 'cookie-parser'],
  ['cookieSession', 'cookie-session'],
  ['csrf', 'csurf'],
  ['directory', 'serve-index'],
  ['logger', 'morgan'],
  ['methodOverride', 'method-override'],
  ['responseTime', 'response-time'],
  ['session', 'express-session'],
  ['timeout', 'connect-timeout'],
  ['vhost', 'vhost']
])

/** The package that provides a name such as `loopback#session` in `middleware.json`. */
export const packageOfGetter = (name: string): string | undefined =>
  name.startsWith('loopback#') ? packages.get(name.slice('loopback#'.length)) : undefined

function loadPackage(folder: AppFolder, getter: string, name: string): unknown {
  if (moduleExists(folder, name)) return createRequire(join(folder.serverDir, 'package.json'))(name)
  // As in LoopBack, the getter exists, and its call throws the name of the missing package.
  return () => {
    throw new UnknownMiddleware(`loopback.${getter}() comes from the package ${name}: npm install ${name}`, {
      key: `loopback.${getter}`
    })
  }
}

/**
 * Adds version 2's middleware getters to the framework object: `app.loopback.session` is what the package exports, loaded
 * on first use.
 */
export function addGetters<Target extends object>(target: Target, folder: AppFolder): Target {
  for (const [getter, name] of packages)
    Object.defineProperty(target, getter, { get: () => loadPackage(folder, getter, name), enumerable: true })
  return target
}
