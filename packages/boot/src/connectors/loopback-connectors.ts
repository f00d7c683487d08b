import { createRequire } from 'node:module'
import { isAbsolute } from 'node:path'
import type * as Loopback from '@modelwire/connector-loopback'
import { resolveFrom } from '@modelwire/loopback-express'
import type { AppFolder } from '../app-folder.ts'
import type { ConnectorFactory } from './connector-factories.ts'

// LB3: short names that are never names of packages; loopback-datasource-juggler, lib/datasource.js, connectorModuleNames.
const shortNames: ReadonlySet<string> = new Set([
  'mongodb',
  'oracle',
  'mysql',
  'postgresql',
  'mssql',
  'rest',
  'soap',
  'db2',
  'cloudant'
])

/** True for what names a file of the application in place of a package. */
export const isPathOfConnector = (written: string): boolean => /^\.\.?\//.test(written) || isAbsolute(written)

/**
 * The factory of a connector that was written for LoopBack: a file, by its path from the folder of the server, or a package that is
 * installed beside the application. Undefined where there is none.
 */
export function loopbackFactory({ serverDir, root }: AppFolder, written: string): ConnectorFactory | undefined {
  for (const candidate of candidatesOf(written)) {
    const path = resolveFrom([serverDir, root], candidate)
    if (path !== undefined) return drive(() => createRequire(path)(path))
  }
  return undefined
}

function candidatesOf(written: string): readonly string[] {
  if (isPathOfConnector(written)) return [written]
  return [
    ...(written.startsWith('loopback-connector-') ? [] : [`loopback-connector-${written}`]),
    ...(shortNames.has(written) ? [] : [written])
  ]
}

/** The factory of a connector that code gives as its module, such as `require('loopback-connector-rest')`. */
export function moduleFactory(module: unknown): ConnectorFactory | undefined {
  const isModule = typeof module === 'object' && module !== null && 'initialize' in module
  return isModule || typeof module === 'function' ? drive(() => module) : undefined
}

/** Most applications have no connector of LoopBack, and connectors are made at once: the package is loaded by the first. */
function drive(load: () => unknown): ConnectorFactory {
  return (settings) => {
    const { loopback } = createRequire(import.meta.url)('@modelwire/connector-loopback') as typeof Loopback // a dependency
    return loopback(load(), settings)
  }
}
