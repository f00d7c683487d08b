import { dirname, join } from 'node:path'

/** @typedef {{ to: string, runs: boolean }} Import */

const statement =
  /^[ \t]*(?:import|export)\s+(type\s+)?(?:(?:[\w$]+\s*,\s*)?(?:\{[^}]*\}|\*(?:\s+as\s+[\w$]+)?)|[\w$]+)\s+from\s+['"](\.[^'"]+)['"]/gm
const sideEffect = /^[ \t]*import\s+['"](\.[^'"]+)['"]/gm
// Types that are written so, and modules that are loaded later: they depend on the file, and load nothing at once.
const expression = /\bimport\(\s*['"](\.[^'"]+)['"]/g

/**
 * The files of its own package that a TypeScript file imports, each once. `runs` is true where the file is loaded with it; what is
 * imported for types alone is left out by the compiler.
 * @param {string} path
 * @param {string} code
 * @returns {Import[]}
 */
export function readImports(path, code) {
  const found = [
    ...Array.from(code.matchAll(statement), ([, type, to]) => ({ to, runs: type === undefined })),
    ...Array.from(code.matchAll(sideEffect), ([, to]) => ({ to, runs: true })),
    ...Array.from(code.matchAll(expression), ([, to]) => ({ to, runs: false }))
  ]
  const runs = new Map()
  for (const one of found) {
    const to = join(dirname(path), one.to)
    runs.set(to, one.runs || runs.get(to) === true)
  }
  return Array.from(runs, ([to, loaded]) => ({ to, runs: loaded }))
}
