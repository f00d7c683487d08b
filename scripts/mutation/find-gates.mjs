import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A function that keeps something from a client. `without` gives the code in place of a call of it, one for each way of taking it
 * out.
 * @typedef {{ name: string, isMember: boolean, without: (args: string[]) => string[] }} Gate
 */

/** They give a call more rights than it had, or set its caller: without them less is allowed. */
const allowing = new Set(['asServer', 'acceptedCall', 'decorateCaller', 'setCaller'])

/** Types of what a client may see or change. */
const rights = /\b(Restriction|Grant|Write|FilterRights)\b/
const openGrant = '{ model: undefined, restriction: undefined }'

/**
 * The functions that restrict clients, by name: exported ones of core's `caller`, those whose types speak of restrictions, and
 * what access control, restrictions and operations have of that kind.
 * @param {string} root
 * @param {string[]} packages
 * @returns {Map<string, Gate>}
 */
export function findGates(root, packages) {
  const paths = packages.flatMap((name) => declarationsIn(join(root, '.types/packages', name, 'src')))
  const gates = paths.flatMap((path) => {
    const text = readFileSync(path, 'utf8').replaceAll(/\/\*[^]*?\*\//g, '')
    const isWanted = ({ name, type }) =>
      !name.startsWith('make') && !allowing.has(name) && (isOfRights(path) || rights.test(type))
    return [...exportedFunctions(text), ...memberFunctions(text)].filter(isWanted).map((declared) => ({
      name: declared.name,
      isMember: declared.isMember,
      without: replacements(declared)
    }))
  })
  return new Map(gates.filter(({ without }) => without !== undefined).map((gate) => [gate.name, gate]))
}

/** All that these files export is about what clients may see. */
const isOfRights = (path) =>
  ['caller', join('filter', 'restriction.')].some((part) => path.includes(join('core', 'src', part)))

function declarationsIn(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((path) => path.endsWith('.d.ts'))
    .map((path) => join(folder, path))
}

function exportedFunctions(text) {
  const found = []
  for (const match of text.matchAll(
    /export declare (?:async )?(?:function (\w+)(?:<[^(]*>)?(?=\()|const (\w+): (?=\())/g
  )) {
    const start = match.index + match[0].length
    const end = text.indexOf(';\n', endOfGroup(text, start))
    found.push(readFunction(match[1] ?? match[2], text.slice(start, end), false))
  }
  return found
}

/** Function-valued members of the interfaces that pass rights on. */
function memberFunctions(text) {
  const bodies = [...text.matchAll(/export interface (AccessControl|Restriction|Operation)\b[^{]*\{([^]*?)\n\}/g)]
  return bodies.flatMap(([, owner, body]) =>
    Array.from(body.matchAll(/readonly (\w+)\??: \(*(?=\()/g), (match) => {
      const rest = body.slice(match.index + match[0].length)
      const declared = readFunction(match[1], rest.slice(0, rest.search(/;\n|;$/)), true)
      return { ...declared, type: owner === 'Operation' ? declared.returns : 'Restriction' }
    })
  )
}

function readFunction(name, text, isMember) {
  const end = endOfGroup(text, 0)
  const returns = text
    .slice(end)
    .replace(/^\s*(:|=>)\s*/, '')
    .replace(/\)( \| undefined)?$/, '')
  const parameters = splitAtCommas(text.slice(1, end - 1)).map((one) => {
    const [before, ...after] = one.split(/:(.*)/s)
    return { name: (before ?? '').trim().replace('?', ''), type: after.join('').trim() }
  })
  return { name, isMember, returns, parameters, type: text }
}

const plain = (type) => type.replaceAll(/\b(?:Awaitable|Promise)<(.*)>$/gs, '$1').trim()

/** What may stand in place of a call; undefined where it cannot be left out, or restricts nothing. */
function replacements({ name, returns, parameters }) {
  const type = plain(returns)
  if (type === 'void' || type === 'Restriction | undefined' || name === 'shownAfter') return () => ['undefined']
  if (type.startsWith('asserts') || type.includes('| undefined>')) return undefined
  if (/^Grant\b/.test(type)) return () => [openGrant]
  if (type === 'FilterRights') return () => ['() => undefined']
  if (type === 'boolean') return () => [String(/^(is|admits)/.test(name))]
  if (type === 'Write') return ([, call]) => [`{ call: ${call}, restriction: undefined }`]
  if (/^(RowTest|Readonly<Record<string, unknown>>) \| undefined$/.test(type)) return () => ['undefined']
  const same = parameters.flatMap((parameter, at) => (parameter.type === type ? [at] : []))
  if (same.length > 0) return (args) => same.map((at) => args[at] ?? 'undefined')
  const made = type === 'Error' ? parameters.findIndex((parameter) => parameter.type === '() => Error') : -1
  return made === -1 ? undefined : (args) => [`(${args[made]})()`]
}

const closing = { '(': ')', '[': ']', '{': '}', '<': '>' }

/** The place behind the group that starts at `start`. */
export function endOfGroup(text, start) {
  const open = []
  for (let at = start; at < text.length; at++) {
    const sign = text[at]
    if (sign === "'" || sign === '"' || sign === '`') at = endOfText(text, at)
    else if (sign === '(' || sign === '[' || sign === '{') open.push(closing[sign])
    else if (sign === open.at(-1)) open.pop()
    if (open.length === 0) return at + 1
  }
  return text.length
}

/** The place of the sign that ends a text. */
function endOfText(text, start) {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[start] === '`' && text.startsWith('${', at)) at = endOfGroup(text, at + 1) - 1
    else if (text[at] === text[start]) return at
  }
  return text.length
}

/** The parts of a list, as they are written. */
export function splitAtCommas(text) {
  const parts = ['']
  for (let at = 0; at < text.length; at++) {
    const end = /[([{'"`]/.test(text[at]) ? endOfPart(text, at) : at + 1
    if (text[at] === ',') parts.push('')
    else parts[parts.length - 1] += text.slice(at, end)
    at = end - 1
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

const endOfPart = (text, at) => (/[([{]/.test(text[at]) ? endOfGroup(text, at) : endOfText(text, at) + 1)
