import { createRequire } from 'node:module'
import { dirname, extname } from 'node:path'
import { messageOf, resolveFrom, ScriptFailed } from '@modelwire/loopback-express'
import type { AppFolder } from '../app-folder.ts'
import { isProvided } from '../facade/provided-names.ts'

const plainEndings = ['js', 'cjs', 'mjs'] as const

/** True once Node loads TypeScript: by itself, or since a script registered ts-node or tsx. */
const loadsTypeScript = (): boolean => '.ts' in (createRequire(import.meta.url).extensions as object) // Node keeps its loaders there

/** Endings of scripts, in the order in which they are looked for. */
export const scriptEndings = (): readonly string[] => (loadsTypeScript() ? [...plainEndings, 'ts'] : plainEndings)

/** The scripts among the names of a folder's files. One in TypeScript counts where it is not there as JavaScript, too. */
export function scriptsAmong(names: readonly string[]): readonly string[] {
  const endings = scriptEndings()
  const scripts = names.filter((name) => endings.includes(extname(name).slice(1)) && !name.endsWith('.d.ts'))
  return scripts.filter((name) => !name.endsWith('.ts') || !scripts.includes(name.replace(/ts$/, 'js')))
}

/**
 * Lets Node load TypeScript by what the application has for it: ts-node, else tsx.
 * @throws {ScriptFailed} it has neither, and this release of Node cannot load it by itself
 */
export function registerTypeScript({ serverDir, nameOf }: AppFolder, path: string): void {
  const compilers = ['ts-node/register', 'tsx/cjs'].map((name) => resolveFrom([dirname(path)], name))
  const found = compilers.find((compiler) => compiler !== undefined)
  if (found !== undefined) createRequire(path)(found)
  else if (!loadsTypeScript())
    throw new ScriptFailed('install ts-node or tsx beside the application to run TypeScript', {
      file: nameOf(path.startsWith(serverDir) ? path : serverDir)
    })
}

/** What is wrong with a script of CommonJS in a package of modules. */
export const moduleHint =
  'it is written with require or module.exports, but the package.json above it says "type": "module": put a package.json with {"type": "commonjs"} into the folders server and common, or name the script .cjs'

/**
 * What a script of the application exports: `module.exports`, or the default export of a module. What it requires is found
 * from its own place.
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

/** The advice where a module imports LoopBack, and this release of Node has no hook for that. */
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
