import { elementName } from './element-name.ts'
import { escapeXmlText } from './escape-xml-text.ts'

/** Levels that are written; only a value that contains itself has more. */
const mostLevels = 200

/**
 * A successful answer as XML: `<response>` with the members of an object as elements, a list as repeated `<result>`, a
 * list inside as repeated elements. Null is the text `null`; undefined members are left out; dates are ISO times and
 * buffers base64. A null answer is `<null/>`, and a false one the empty text.
 * @throws {TypeError} the value contains itself
 * @see recordings formats/xml and remoting/xml-returns
 */
export function writeXml(value: unknown): string {
  if (value === false) return '' // LB3: remoting/xml-returns, rootBoolean
  if (value === null) return '<null/>'
  const content = Array.isArray(value) ? { result: value as unknown } : value
  const root = writeNode('response', content ?? {}, { margin: '', indent: '  ', levels: mostLevels })
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root.trimEnd() || '<response/>'}`
}

/**
 * The facts of an error as XML below an element `root`, in the layout of LoopBack's error handler.
 * @see recordings errors/production and errors/debug
 */
export function writeErrorXml(facts: Readonly<Record<string, unknown>>, root = 'error'): string {
  const element = writeNode(elementName(root), facts, { margin: '', indent: '    ', levels: mostLevels })
  return `<?xml version='1.0'?>\n${element.trimEnd()}`
}

interface Place {
  /** Blanks before an element. */
  readonly margin: string
  /** Blanks that each level adds. */
  readonly indent: string
  /** Levels that may follow. */
  readonly levels: number
}

/** The element and a line end; the empty text for what has no place in XML. */
function writeNode(name: string, value: unknown, place: Place): string {
  if (place.levels === 0) throw new TypeError('A value that contains itself cannot be written as XML')
  const plain = toPlain(value)
  if (plain === undefined) return ''
  const { margin } = place
  if (typeof plain === 'string') return `${margin}<${name}>${escapeXmlText(plain)}</${name}>\n`
  if (Array.isArray(plain)) return writeItems(name, plain, { ...place, levels: place.levels - 1 })
  const members = writeMembers(plain, place)
  return members === '' ? `${margin}<${name}/>\n` : `${margin}<${name}>\n${members}${margin}</${name}>\n`
}

function writeItems(name: string, items: readonly unknown[], place: Place): string {
  let text = ''
  for (const item of items) text += writeNode(name, item, place)
  return text
}

function writeMembers(object: object, { margin, indent, levels }: Place): string {
  const inside = { margin: margin + indent, indent, levels: levels - 1 }
  let text = ''
  for (const [key, member] of Object.entries(object)) text += writeNode(elementName(key), member, inside)
  return text
}

/** A text, a list or an object; undefined for what JSON leaves out, too. */
function toPlain(value: unknown): string | object | undefined {
  if (value === null) return 'null'
  if (typeof value === 'object') return objectToPlain(value)
  return value === undefined || typeof value === 'function' || typeof value === 'symbol' ? undefined : String(value)
}

function objectToPlain(value: object): string | object | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'null' : value.toISOString()
  if (value instanceof Uint8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')
  if (!writesItself(value)) return value
  const json = value.toJSON()
  return json === value ? value : toPlain(json)
}

function writesItself(value: object): value is { toJSON: () => unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function'
}
