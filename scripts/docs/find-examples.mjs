import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './markdown-files.mjs'

/**
 * A name that a door of a package exports, and the lines of its docstring, each at its place in the file and without what marks it as
 * one. Undefined where it has none.
 * @typedef {{ name: string, path: string, text: string | undefined }} DoorName
 */

/**
 * The names that a door exports, with their docstrings, wherever they are declared.
 * @param {string} path of the door, from the root
 * @returns {DoorName[]}
 */
export function readDoor(path) {
  const code = readFileSync(join(root, path), 'utf8')
  const lists = code.matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)'/gm)
  const places = new Map()
  for (const [, list, from] of lists)
    for (const [name] of list.replaceAll(/\btype | as \w+/g, '').matchAll(/\w+/g)) places.set(name, fileOf(from, path))
  return Array.from(places, ([name, from]) => declared(name, from))
}

/**
 * The docstrings with examples as Markdown, so that their blocks are found and run like those of pages. A line of it is a line of the
 * source.
 * @param {DoorName[]} names
 * @returns {Map<string, string>} texts by path
 */
export function examplePages(names) {
  const pages = new Map()
  for (const { path, text } of names.filter(hasExample)) {
    const before = pages.get(path)?.split('\n') ?? []
    const lines = text.split('\n').map((line, at) => line || before[at] || '')
    pages.set(path, lines.join('\n'))
  }
  return pages
}

/** @param {DoorName} name */
export function hasExample({ text }) {
  return text?.includes('@example') === true
}

function fileOf(from, path) {
  if (from.startsWith('.')) return join(dirname(path), from)
  return `packages/${from.replace('@modelwire/', '')}/src/index.ts`
}

function declared(name, path) {
  const code = readFileSync(join(root, path), 'utf8')
  const declaration = new RegExp(
    `^export (?:abstract |async )*(?:class|function|interface|type|const) ${name}\\b`,
    'm'
  ).exec(code)
  if (declaration !== null) return { name, path, text: docstringBefore(code, declaration.index) }
  const found = readDoor(path).find((each) => each.name === name)
  if (found === undefined) throw new Error(`${path} does not export ${name}`)
  return found
}

function docstringBefore(code, index) {
  const before = code.slice(0, index)
  if (!before.endsWith('*/\n')) return undefined
  const start = before.lastIndexOf('/**')
  const lines = before
    .slice(start)
    .split('\n')
    .map((line) => line.replace(/^(?: ?\/\*\*| \*\/| \*) ?/, ''))
  const whole = code.split('\n')
  const first = before.slice(0, start).split('\n').length - 1
  return whole.map((_, at) => lines[at - first] ?? '').join('\n')
}
