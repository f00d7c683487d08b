import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './markdown-files.mjs'
import { toTable } from './to-table.mjs'

/**
 * @typedef {{ code: string, status: string, meaning: string }} ErrorRow
 * @typedef {{ name: string, base?: string, code?: string, status?: string, meaning: string }} ErrorClass
 */

const declaration =
  /(?:\/\*\*((?:(?!\*\/)[^])*)\*\/\n)?^(?:export )?(?:abstract )?class (\w+) extends (\w+)((?:\.with)?\([^]*?\))? \{(?:\}|\n([^]*?)\n\})$/gm

/**
 * The classes of errors in a source, with the facts that each adds to those of the class it extends.
 * @param {string} source
 * @returns {ErrorClass[]}
 */
export function listErrorClasses(source) {
  return Array.from(source.matchAll(declaration), ([, docstring = '', name, base, facts = '', body = '']) => ({
    name,
    base,
    code: /'([A-Z][A-Z\d_]+)'/.exec(facts)?.[1] ?? /readonly code(?:: string)? = '(\w+)'/.exec(body)?.[1],
    status: /\b[45]\d\d\b/.exec(facts)?.[0] ?? statusIn(body),
    meaning: docstring
      .replaceAll(/\s*\n \* ?|\s+/g, ' ')
      .replace(/ @\w.*/, '')
      .trim()
  }))
}

/** The status of a class that has several of them by its instances lists the usual one first. */
function statusIn(body) {
  const [, type = '', usual] = /readonly statusCode(?:: ([^=]+))? = (\d+)/.exec(body) ?? []
  return usual && [...new Set([usual, ...(type.match(/\d+/g) ?? [])])].join(', ')
}

/**
 * The errors of all packages by the folder of the package, in the order of its sources.
 * @returns {Map<string, ErrorRow[]>}
 */
export function listErrors() {
  const packages = readdirSync(join(root, 'packages')).map((folder) => [folder, classesOf(folder)])
  const all = packages.flatMap(([, classes]) => classes)
  return new Map(
    packages.map(([folder, classes]) => [folder, rowsOf(classes, all)]).filter(([, rows]) => rows.length > 0)
  )
}

/** The table of a package comes before what lies elsewhere. */
const rank = (file) => (file === 'errors.ts' ? 0 : 1)

function classesOf(folder) {
  const sources = join(root, 'packages', folder, 'src')
  if (!existsSync(sources)) return []
  const files = readdirSync(sources, { recursive: true }).filter((file) => file.endsWith('.ts'))
  const inOrder = files.toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b))
  return inOrder.flatMap((file) => listErrorClasses(readFileSync(join(sources, file), 'utf8')))
}

/** Errors of requests, then those of definitions: their status is that they keep a server from starting. */
function rowsOf(classes, all) {
  const byName = new Map(all.map((one) => [one.name, one]))
  const statusOf = ({ base, status }) => status ?? (byName.has(base) ? statusOf(byName.get(base)) : undefined)
  const isDefinition = ({ name, base }) =>
    name === 'DefinitionError' || base === 'DefinitionError' || (byName.has(base) && isDefinition(byName.get(base)))
  const rows = classes
    .filter(({ code }) => code !== undefined)
    .map((one) => ({ code: one.code, status: isDefinition(one) ? 'start' : statusOf(one), meaning: one.meaning }))
  return [...rows.filter(({ status }) => status !== 'start'), ...rows.filter(({ status }) => status === 'start')]
}

const table = /(?<=<!-- errors: ([\w -]+), made by pnpm docs:options -->\n\n)[^]*?(?=\n\n)/g

/**
 * docs/errors.md with tables that say what the sources say.
 * @param {string} page
 */
export function withErrors(page) {
  const errors = listErrors()
  return page.replace(table, (_old, folders) => {
    const listed = folders.split(' ').flatMap((folder) => errors.get(folder) ?? [])
    const rows = listed.map(({ code, status, meaning }) => [`\`${code}\``, status, meaning.replaceAll('|', '\\|')])
    return toTable([['code', 'status', 'meaning'], ...rows])
  })
}
