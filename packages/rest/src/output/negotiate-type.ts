import { cacheByText, cleanCallback } from './write-any-json.ts'
import { preferType } from './prefer-type.ts'

/** The representation of a response; `none` is a 406. */
export interface Representation {
  readonly kind: 'json' | 'xml' | 'jsonp' | 'none'
  /** The Content-Type header, with charset. */
  readonly contentType: string
}

/** The available representations. */
export interface NegotiatorOptions {
  /** Support XML. LoopBack's `remoting.rest.xml`; false when absent. */
  readonly xml?: boolean | undefined
  /** Respond with a script if a callback is named; false when absent. */
  readonly jsonp?: boolean | undefined
  /** The supported media types, instead of the default ones. Types other than XML and JavaScript contain JSON. */
  readonly supportedTypes?: readonly string[] | undefined
}

/**
 * Returns the representation for a request: `accept` is its Accept header, `format` its parameter `_format`, which takes
 * precedence, and `callback` its parameter for JSONP.
 */
export type Negotiator = (accept: string | undefined, format?: unknown, callback?: unknown) => Representation

const json = represent('json', 'application/json')
const jsonp = represent('jsonp', 'text/javascript')
const none = represent('none', 'text/plain')
const shorthands: ReadonlyMap<string, string> = new Map([
  ['json', 'application/json'],
  ['xml', 'text/xml'],
  ['*/*', 'application/json']
])
const always = [
  'application/json',
  'text/javascript',
  'application/javascript',
  'text/xml',
  'application/xml',
  'application/vnd.api+json'
]
const defaultTypes = ['application/json', 'application/javascript', 'text/javascript', '*/*']
const defaultTypesWithXml = [
  'application/json',
  'application/javascript',
  'application/xml',
  'text/javascript',
  'text/xml',
  '*/*'
]
// A browser would run what a record holds, or events are written elsewhere.
const neverOffered = new Set(['text/html', 'application/xhtml+xml', 'image/svg+xml', 'text/event-stream'])

/**
 * Compiles the choice of representations. Choices are cached by the Accept header, if it is short.
 * @see recordings formats/accept, formats/format-query, formats/no-xml and formats/supported-types
 */
export function createNegotiator(options: NegotiatorOptions = {}): Negotiator {
  const offered = offeredTypes(options)
  const byName = new Map([...always, ...offered].map((type) => [type, representationOf(type)]))
  const first = representationOf(offered[0] ?? 'application/json')
  const byAccept = (accept: string): Representation => byName.get(preferType(accept, offered) ?? '') ?? none
  const cached = cacheByText(byAccept)
  const choose = (accept: string | undefined): Representation =>
    accept === undefined || accept === '' ? first : cached(accept)
  return (accept, format, callback) => {
    const chosen = format === undefined || format === '' ? choose(accept) : byFormat(format, byName)
    const isScript = options.jsonp === true && cleanCallback(callback) !== undefined
    return chosen === jsonp && !isScript ? json : chosen
  }
}

/** The supported media types, the default first; a star stands for any. */
export function offeredTypes({ xml = false, supportedTypes }: NegotiatorOptions): string[] {
  const types = supportedTypes ?? (xml ? defaultTypesWithXml : defaultTypes)
  const names = types.map((type) => type.trim().toLowerCase())
  return names
    .map((name) => (name === '*/*' ? name : (shorthands.get(name) ?? name)))
    .filter((name) => !neverOffered.has(name))
}

function represent(kind: Representation['kind'], type: string): Representation {
  return { kind, contentType: `${type}; charset=utf-8` }
}

function representationOf(type: string): Representation {
  if (type === '*/*' || type === 'application/json') return json
  if (type === 'text/javascript' || type === 'application/javascript') return jsonp
  return represent(/[/+]xml$/.test(type) ? 'xml' : 'json', type)
}

function byFormat(format: unknown, byName: ReadonlyMap<string, Representation>): Representation {
  if (typeof format !== 'string') return none
  const name = format.toLowerCase()
  return byName.get(shorthands.get(name) ?? name) ?? none
}
