import { createRequire } from 'node:module'
import { dirname, extname } from 'node:path'
import { messageOf, resolveFrom, ScriptFailed } from '@modelwire/loopback/express'
import type { AppFolder } from './app-folder.ts'
import { isProvided } from './provided-names.ts'
import { readTextFile } from './read-json-file.ts'
import type { AddNote } from '../../boot-report.ts'

interface Sign {
  readonly pattern: RegExp
  /** The version that it applies to; both when absent. */
  readonly version?: 2 | 3
  readonly reason: string
  readonly advice: string
}

/** What shows in the text of a script that it relies on something that is not here. */
const signs: readonly Sign[] = [
  {
    pattern:
      /\b(?:loopback|app)\.(?:bodyParser|compress|cookieParser|cookieSession|csrf|directory|favicon|logger|methodOverride|responseTime|session|timeout|vhost)\(/,
    version: 3,
    reason: 'this Express middleware is not part of LoopBack here: require the package that it came from',
    advice: 'npm install the package, and require it instead'
  }
]

/** Loads a script of the application and returns its exports. */
export type LoadScript = (path: string) => unknown

const plainEndings = ['js', 'cjs', 'mjs'] as const

/** True once Node loads TypeScript: by itself, or since a script registered ts-node or tsx. */
const loadsTypeScript = (): boolean => '.ts' in (createRequire(import.meta.url).extensions as object) // Node keeps its loaders there

/** File extensions of scripts, in the order in which they are looked up. */
export const scriptEndings = (): readonly string[] => (loadsTypeScript() ? [...plainEndings, 'ts'] : plainEndings)

/**
 * The scripts among the file names of a folder. A TypeScript file only counts if there is no JavaScript file of the same
 * name.
 */
export function scriptsAmong(names: readonly string[]): readonly string[] {
  const endings = scriptEndings()
  const scripts = names.filter((name) => endings.includes(extname(name).slice(1)) && !name.endsWith('.d.ts'))
  return scripts.filter((name) => !name.endsWith('.ts') || !scripts.includes(name.replace(/ts$/, 'js')))
}

/**
 * Lets Node load TypeScript with ts-node or tsx, whichever the application has installed.
 * @throws {ScriptFailed} it has neither, and this release of Node cannot load it by itself
 */
export function registerTypeScript({ serverDir, nameOf }: AppFolder, path: string): void {
  const compilers = ['ts-node/register', 'tsx/cjs'].map((name) => resolveFrom([dirname(path)], name))
  const found = compilers.find((compiler) => compiler !== undefined)
  if (found !== undefined) createRequire(path)(found)
  else if (!loadsTypeScript())
    throw new ScriptFailed('install ts-node or tsx in the application to run TypeScript', {
      file: nameOf(path.startsWith(serverDir) ? path : serverDir)
    })
}

/** The message for a CommonJS script in a package of type "module", and the advice. */
export const commonJsInModules = {
  reason: 'it uses require or module.exports, but the nearest package.json says "type": "module"',
  advice: 'add a package.json with {"type": "commonjs"} to the folders server and common, or rename the script to .cjs'
}

const moduleHint = `${commonJsInModules.reason}: ${commonJsInModules.advice}`

/**
 * Loads a script of the application: `module.exports`, or the default export of a module. Its requires are resolved from
 * its own location.
 * @throws {ScriptFailed} it cannot be loaded
 */
export function loadScript(folder: AppFolder, path: string): unknown {
  if (folder.source !== undefined) return folder.source.loadScript(folder, path)
  try {
    return defaultExport(createRequire(path)(path))
  } catch (cause) {
    const message = isTakenForModule(path, cause) ? moduleHint : (importHint(cause) ?? messageOf(cause))
    throw new ScriptFailed(`the script cannot be loaded: ${message}`, { file: folder.nameOf(path) }, { cause })
  }
}

/** The advice for a module that imports LoopBack, if this release of Node does not support hooks for it. */
export function importHint(error: unknown): string | undefined {
  const [, name] = /^Cannot find package '([^']+)' imported from /.exec(messageOf(error)) ?? []
  if (name === undefined || !isProvided(name)) return undefined
  return `it imports "${name}" as an ECMAScript module, which needs Node 22.15 or newer: use createRequire(import.meta.url)('${name}') from node:module`
}

/** True when a script fails as a module that was not written as one. */
function isTakenForModule(path: string, error: unknown): boolean {
  const isReference = error instanceof ReferenceError && / is not defined in ES module scope/.test(error.message)
  return isReference && extname(path) === '.js'
}

/** `exports.default` of transpiled and of real modules, else the exports themselves. */
function defaultExport(exports: unknown): unknown {
  if (typeof exports !== 'object' || exports === null || !('default' in exports)) return exports
  const isModule = '__esModule' in exports || Object.prototype.toString.call(exports) === '[object Module]'
  return isModule ? exports.default : exports
}

/** Makes the function that loads scripts, and reports unsupported code in each of them. */
export function createScriptLoader(folder: AppFolder, version: 2 | 3, add: AddNote): LoadScript {
  return (path) => {
    noteScriptSource(folder, path, version, add)
    return loadScript(folder, path)
  }
}

/** Reports lines of a script that use unsupported features. */
export function noteScriptSource(folder: AppFolder, path: string, version: 2 | 3, add: AddNote): void {
  const lines = readTextFile(path).split('\n')
  for (const { pattern, reason, advice, version: only = version } of signs) {
    const line = only === version ? lines.findIndex((text) => pattern.test(text)) + 1 : 0
    if (line > 0) add('differs', { file: folder.nameOf(path), key: `line ${line}` }, reason, { advice })
  }
}
