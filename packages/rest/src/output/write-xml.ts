const special = /[<&\uFFFE\uFFFF]|\]\]>|\p{Cc}|\p{Surrogate}/gu

const escapes: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '&': '&amp;',
  ']]>': ']]&gt;',
  '\r': '&#xD;',
  '\t': '\t',
  '\n': '\n'
}

const firstAllowedControl = '\u007f'

const plainName = /^[A-Za-z_][\w.-]*$/

// Without two blanks that XML would allow: many parsers do not.
const start =
  'A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{167F}\\u{1681}-\\u{1FFF}\\u{200C}\\u{200D}\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FEFE}\\u{FF00}-\\u{FFFD}'

const later = `${start}\\-.0-9\\u{B7}\\u{300}-\\u{36F}\\u{203F}\\u{2040}`

const notLater = new RegExp(`[^${later}]`, 'gu')

const goodStart = new RegExp(`^[${start}]`, 'u')

/** Levels that are written; only a value that contains itself has more. */
const mostLevels = 200

/**
 * A successful response as XML: `<response>` with the members of an object as elements, a list as repeated `<result>`, a
 * nested list as repeated elements. Null is the text `null`; undefined members are omitted; dates are ISO times and buffers
 * base64. A null response is `<null/>`, and a false one the empty string.
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
  /** Indentation before an element. */
  readonly margin: string
  /** Indentation added by each level. */
  readonly indent: string
  /** Levels that may still follow. */
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

/**
 * `name` as the name of an element: characters that a name cannot have become `_`, and one is put before a start that
 * is not allowed. A colon counts as such a character, since namespaces are never declared.
 * @see Namespaces in XML 1.0, NCName
 */
function elementName(name: string): string {
  if (plainName.test(name)) return name
  const cleaned = name.replace(notLater, '_')
  return goodStart.test(cleaned) ? cleaned : `_${cleaned}`
}

/** `text` for the inside of an element. What is not a character of XML becomes U+FFFD. */
function escapeXmlText(text: string): string {
  return text.replace(special, escapeOne)
}

function escapeOne(found: string): string {
  return escapes[found] ?? (isAllowedControl(found) ? found : '\ufffd')
}

/** Delete and the controls after it. */
function isAllowedControl(found: string): boolean {
  return found >= firstAllowedControl && found <= '\u009f'
}
