import { createRequire } from 'node:module'
import { LimitExceeded, NameRefused, reservedNames } from '@modelwire/core/plugin'
import type * as FastXmlParser from 'fast-xml-parser'
import { InvalidBody, UnsupportedMediaType, XmlRefused } from '../errors.ts'
import type { BodySettings } from '../body-options.ts'

const predefined: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"]
])

const reference = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([^;\s&]*));?/gi

const load = createRequire(import.meta.url)

/** A node as fast-xml-parser returns it in document order: one key, the element's name or one of the two below. */
type XmlNode = Readonly<Record<string, XmlNode[] | string>>
type Members = Record<string, unknown>

const textName = '#text'
const cdataName = '#cdata'
const declaredEncoding = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([^"']*)["']/

/**
 * The value of an XML body; undefined for the empty text.
 *
 * - The root element's name is ignored. Its child elements become the members of an object.
 * - A name that occurs once is a member; one that is repeated becomes a list, in document order.
 * - An element without children is its text, untrimmed: every leaf is a text, `<a/>` the empty one. A root without
 *   anything is `{}`, one with text only is that text.
 * - Attributes, comments and processing instructions are ignored, as is text next to child elements.
 * - There is no document type, and no entity but the five predefined ones.
 *
 * @throws {InvalidBody} `text` is not well-formed
 * @throws {XmlRefused} a document type, an own entity, or a reference to what is not a character
 * @throws {NameRefused} an element's name belongs to JavaScript's object model
 * @throws {LimitExceeded} nested deeper than `depth`
 * @throws {UnsupportedMediaType} the declaration names another encoding than UTF-8
 */
export function parseXml(text: string, { depth }: Pick<BodySettings['xml'], 'depth'>): unknown {
  const xml = text.codePointAt(0) === 0xfeff ? text.slice(1) : text
  if (xml === '') return undefined
  refuseDeclarations(xml)
  const nodes = readNodes(xml, depth)
  const [root, ...others] = nodes.filter((node) => nameOf(node) !== textName)
  if (root === undefined || others.length > 0)
    throw new InvalidBody('XML must have exactly one root element', { body: text })
  const children = childrenOf(root)
  return children.every(isBlank) ? {} : valueOf(children)
}

function refuseDeclarations(xml: string): void {
  const encoding = declaredEncoding.exec(xml)?.[1]
  if (encoding !== undefined && !/^utf-?8$/i.test(encoding)) {
    throw new UnsupportedMediaType('XML must be encoded in UTF-8', 'charset.unsupported')
  }
  for (let at = xml.indexOf('<!'); at !== -1; at = xml.indexOf('<!', at)) {
    at = endOfSection(xml, at)
    if (at === -1) return
  }
}

/** Where a comment or a CDATA section that starts at `start` ends; -1 when it never does. Refuses what else starts so. */
function endOfSection(xml: string, start: number): number {
  if (xml.startsWith('--', start + 2)) return xml.indexOf('-->', start + 4)
  if (xml.startsWith('[CDATA[', start + 2)) return xml.indexOf(']]>', start + 9)
  throw new XmlRefused('XML must not have a document type')
}

function readNodes(xml: string, depth: number): XmlNode[] {
  // A dependency of this package, loaded by the first body in XML.
  const { XMLParser } = load('fast-xml-parser') as typeof FastXmlParser
  const parser = new XMLParser({
    preserveOrder: true,
    processEntities: false,
    parseTagValue: false,
    trimValues: false,
    ignorePiTags: true,
    ignoreDeclaration: true,
    cdataPropName: cdataName,
    jPath: false,
    maxNestedTags: depth,
    transformTagName: acceptName
  })
  try {
    // This is the shape that preserveOrder gives; the library types it `any`.
    return parser.parse(xml, true) as XmlNode[]
  } catch (cause) {
    throw explain(cause, xml)
  }
}

function acceptName(name: string): string {
  if (reservedNames.has(name)) throw new NameRefused(`${JSON.stringify(name)} is not allowed as a name`)
  return name
}

function explain(cause: unknown, body: string): Error {
  if (cause instanceof NameRefused) return cause
  if (cause instanceof Error && cause.message.includes('nested tags')) {
    return new LimitExceeded('The XML is nested too deeply', { cause })
  }
  return new InvalidBody('The body is not well-formed XML', { body, cause })
}

function nameOf(node: XmlNode): string {
  return Object.keys(node)[0] ?? textName
}

function childrenOf(node: XmlNode): XmlNode[] {
  const content = node[nameOf(node)]
  return typeof content === 'string' || content === undefined ? [] : content
}

/** True for text of blanks, which is the layout between elements. */
function isBlank(node: XmlNode): boolean {
  return String(node[textName] ?? '-').trim() === ''
}

function valueOf(children: readonly XmlNode[]): unknown {
  const elements = children.filter((child) => !nameOf(child).startsWith('#'))
  return elements.length === 0 ? children.map(textOf).join('') : membersOf(elements)
}

function textOf(node: XmlNode): string {
  const literal = node[cdataName]
  if (typeof literal === 'object') return literal.map((part) => String(part[textName] ?? '')).join('')
  return decodeXmlText(String(node[textName] ?? ''))
}

function membersOf(elements: readonly XmlNode[]): Members {
  const members: Members = {}
  const repeated = new Set<string>()
  for (const element of elements) addMember(members, repeated, nameOf(element), valueOf(childrenOf(element)))
  return members
}

function addMember(members: Members, repeated: Set<string>, name: string, value: unknown): void {
  if (!Object.hasOwn(members, name)) members[name] = value
  else if (repeated.has(name)) (members[name] as unknown[]).push(value) // a list since the second one
  else {
    members[name] = [members[name], value]
    repeated.add(name)
  }
}

/**
 * `text` with its references replaced: the five entities that XML predefines, and characters by number.
 * @throws {XmlRefused} another entity, or a number that is not an XML character
 * @see XML 1.0 sections 4.1, 4.6 and 2.2
 */
function decodeXmlText(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(reference, (whole, hex?: string, decimal?: string, name?: string) => {
    if (!whole.endsWith(';')) throw new XmlRefused('An & in XML must start a reference that ends with ;')
    if (hex !== undefined) return characterOf(Number.parseInt(hex, 16))
    if (decimal !== undefined) return characterOf(Number(decimal))
    const character = predefined.get(name ?? '')
    if (character === undefined) throw new XmlRefused('Only the entities lt, gt, amp, quot and apos are supported')
    return character
  })
}

function characterOf(point: number): string {
  if (!isXmlCharacter(point)) throw new XmlRefused('A numeric reference must be a valid XML character')
  return String.fromCodePoint(point)
}

function isXmlCharacter(point: number): boolean {
  if (point < 0x20) return point === 0x9 || point === 0xa || point === 0xd
  return point <= 0xd7ff || (point >= 0xe000 && point <= 0xfffd) || (point >= 0x10000 && point <= 0x10ffff)
}
