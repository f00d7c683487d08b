import { cacheByText } from './cache-by-text.ts'
import { preferType } from './prefer-type.ts'
import { cleanCallback } from './write-jsonp.ts'

/** How an answer is written; `none` is a 406. */
export interface Representation {
  readonly kind: 'json' | 'xml' | 'jsonp' | 'none'
  /** The Content-Type header, with charset. */
  readonly contentType: string
}

/** Which representations there are. */
export interface NegotiatorOptions {
  /** Offer XML. LoopBack's `remoting.rest.xml`; false when absent. */
  readonly xml?: boolean | undefined
  /** Answer as a script where a callback is named; false when absent. */
  readonly jsonp?: boolean | undefined
  /** The media types that are offered, instead of the default ones. Types other than XML and JavaScript hold JSON. */
  readonly supportedTypes?: readonly string[] | undefined
}

/**
 * The representation for a request: `accept` is its Accept header, `format` its parameter `_format`, which wins, and
 * `callback` its parameter for JSONP.
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
 * Compiles the choice of representations. Choices are cached by the text of the Accept header, as long as it is short.
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

/** The media types that are offered, the default first; a star stands for whatever there is. */
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
