import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { endOfGroup, splitAtCommas } from './find-gates.mjs'

/**
 * A use of a gate, and the code in place of it.
 * @typedef {{ id: number, file: string, package: string, place: string, start: number, end: number, text: string, replacement: string }} Mutant
 */

/** What is read of a restriction where it is not passed to a function. */
const reads =
  /(?<![\w.])(?:[\w#]+\??\.)*(?:restriction|rights)\??\.(?:condition|readable|writable|admits|admitsPatch)\b(?!\??\.?\()/g

/**
 * All uses of gates in the built code.
 * @param {string} root
 * @param {string[]} packages
 * @param {Map<string, import('./find-gates.mjs').Gate>} gates
 * @returns {Mutant[]}
 */
export function findMutants(root, packages, gates) {
  const found = packages.flatMap((name) =>
    scriptsIn(join(root, 'packages', name, 'dist')).flatMap((file) => {
      const code = readFileSync(file, 'utf8')
      const uses = [...usesOf(code, gates), ...readsIn(code)]
      return uses.map((use) => ({
        ...use,
        file,
        package: name,
        place: `${relative(root, file).replace('/dist/', '/src/').replace(/js$/, 'ts')} (line ${lineOf(code, use.start)} as built)`
      }))
    })
  )
  return found.map((mutant, id) => ({ id, ...mutant }))
}

function scriptsIn(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((path) => path.endsWith('.js'))
    .map((path) => join(folder, path))
}

const lineOf = (code, at) => code.slice(0, at).split('\n').length

/** Comments as blanks, so that nothing in them counts. */
const withoutComments = (code) =>
  code.replaceAll(/\/\*[^]*?\*\/|(?<=^|\s)\/\/.*$/gm, (comment) => comment.replaceAll(/[^\n]/g, ' '))

/** Another function of the same name is not a gate. */
const isNamedIn = (code, name) =>
  new RegExp(String.raw`import \{[^}]*\b${name}\b|export (async )?(function|const) ${name}\b`).test(code)

function usesOf(written, gates) {
  const code = withoutComments(written)
  const uses = []
  for (const match of code.matchAll(/(?<![\w$])(#?\w+)(\?\.)?\(/g)) {
    const gate = gates.get(match[1])
    const before = code.slice(0, match.index)
    if (gate === undefined || /function\s+$/.test(before)) continue
    const receiver = /(?:[\w$#]+\??\.)*$/.exec(before)?.[0] ?? ''
    if (gate.isMember && receiver === '' && match[1] !== 'findGrant') continue
    if (!gate.isMember && receiver !== 'repository.' && !isNamedIn(code, match[1])) continue
    const open = match.index + match[0].length - 1
    const end = endOfGroup(code, open)
    if (/^\s*(\{|=>)/.test(code.slice(end))) continue
    const start = match.index - receiver.length
    const text = code.slice(start, end)
    for (const replacement of gate.without(splitAtCommas(code.slice(open + 1, end - 1))))
      uses.push({ start, end, text, replacement })
  }
  return uses
}

function readsIn(written) {
  const code = withoutComments(written)
  return Array.from(code.matchAll(reads), ({ index, 0: text }) => ({
    start: index,
    end: index + text.length,
    text,
    replacement: 'undefined'
  }))
}
