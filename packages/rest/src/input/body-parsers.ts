import { isUtf8 as holdsUtf8 } from 'node:buffer'
import { MalformedText, checkStructure, LimitExceeded, reservedNames } from '@modelwire/core/plugin'
import { type Awaitable, passOver, registerForms, InvalidOption } from '@modelwire/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { UnsupportedMediaType, InvalidEncoding, PayloadTooLarge, InvalidBody } from '../errors.ts'
import type { BodySettings } from '../body-options.ts'
import { parseXml } from './parse-xml.ts'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, type ZlibOptions } from 'node:zlib'
import { loadQs, refusePrototypeKeys } from './read-query.ts'

const byteOrderMark = 0xfeff

type Inflate = (compressed: Buffer, options: ZlibOptions) => Promise<Buffer>

const inflaters: Readonly<Record<string, Inflate>> = {
  gzip: promisify<Buffer, ZlibOptions, Buffer>(gunzip),
  deflate: promisify<Buffer, ZlibOptions, Buffer>(inflate),
  br: promisify<Buffer, ZlibOptions, Buffer>(brotliDecompress)
}

/** How a request's body was written: JSON is coerced strictly, forms and XML contain strings. */
export type BodyFormat = 'none' | 'json' | 'form' | 'xml'

declare module 'fastify' {
  interface FastifyRequest {
    /** How the body was written; `none` if there is none, or an empty one. */
    bodyFormat: BodyFormat
    /** Why the body was not read; reported to callers that may make the request without one. */
    bodyRefusal: UnsupportedMediaType | null
  }
}

interface BodyParser {
  readonly types: string[]
  readonly format: BodyFormat
  /** Bytes, compressed or not. */
  readonly limit: number
  readonly parse: (text: string) => unknown
}

type Done = (error: Error | null, body?: unknown) => void

/**
 * Makes `scope` read JSON, urlencoded and XML bodies, and refuse every other kind. An empty body is undefined whatever
 * its type. `request.bodyFormat` is the format of the body.
 *
 * A request can then fail with MalformedText, InvalidBody, InvalidEncoding, XmlRefused, NameRefused or LimitExceeded
 * (400), PayloadTooLarge or Fastify's FST_ERR_CTP_BODY_TOO_LARGE (413), UnsupportedMediaType (415).
 */
export async function registerBodyParsers(
  scope: FastifyInstance,
  options: BodySettings,
  ignoresPrototypeKeys = false
): Promise<void> {
  scope.removeAllContentTypeParsers()
  if (!scope.hasRequestDecorator('bodyFormat')) scope.decorateRequest('bodyFormat', 'none')
  if (!scope.hasRequestDecorator('bodyRefusal')) scope.decorateRequest('bodyRefusal', null)
  for (const parser of compileParsers(options)) addParser(scope, parser)
  scope.addContentTypeParser('*', refuseBody)
  await addForms(scope, options.urlencoded, ignoresPrototypeKeys)
}

async function addForms(
  scope: FastifyInstance,
  options: BodySettings['urlencoded'],
  ignoresPrototypeKeys: boolean
): Promise<void> {
  const limit = parseByteSize(options.limit)
  const read = async (bytes: Buffer, request: FastifyRequest): Promise<Buffer> => {
    const form = await soundBytes(bytes, request, limit)
    if (form.length > 0) request.bodyFormat = 'form'
    return form
  }
  await registerForms(scope, { limit, read, parse: (text) => parseForm(text, options, ignoresPrototypeKeys) })
}

function compileParsers({ json, xml }: BodySettings): BodyParser[] {
  return [
    {
      types: ['application/json'],
      format: 'json',
      limit: parseByteSize(json.limit),
      parse: (text) => parseJson(text, json)
    },
    {
      types: ['application/xml', 'text/xml'],
      format: 'xml',
      limit: parseByteSize(xml.limit),
      parse: (text) => parseXml(text, xml)
    }
  ]
}

function addParser(scope: FastifyInstance, parser: BodyParser): void {
  const read = (request: FastifyRequest, bytes: Buffer, done: Done): void => {
    let sound: Awaitable<Buffer>
    try {
      sound = soundBytes(bytes, request, parser.limit)
    } catch (error) {
      refuse(request, error as Error, done) // soundBytes throws nothing else
      return
    }
    if (sound instanceof Promise) void finishLater(request, sound, parser, done)
    else finish(request, sound, parser, done)
  }
  // `done` instead of a promise: Fastify then goes on within the same tick.
  scope.addContentTypeParser(parser.types, { parseAs: 'buffer', bodyLimit: parser.limit }, read)
}

/** The bytes of a text in UTF-8, inflated. Those of an empty body are empty, whatever its headers are. */
function soundBytes(bytes: Buffer, { headers }: FastifyRequest, limit: number): Awaitable<Buffer> {
  if (bytes.length === 0) return bytes
  const { 'content-encoding': encoding, 'content-type': contentType = '' } = headers
  if (!isUtf8(contentType)) throw new UnsupportedMediaType('The charset must be UTF-8', 'charset.unsupported')
  return encoding === undefined || /^identity$/i.test(encoding) ? checkUtf8(bytes) : inflateText(bytes, encoding, limit)
}

const inflateText = async (bytes: Buffer, encoding: string, limit: number): Promise<Buffer> =>
  checkUtf8(await inflateBody(bytes, encoding, limit))

/** Bytes that are not UTF-8 would become other texts than the client meant. */
function checkUtf8(bytes: Buffer): Buffer {
  if (!holdsUtf8(bytes)) throw new MalformedText('the body is not well-formed UTF-8')
  return bytes
}

async function finishLater(
  request: FastifyRequest,
  inflating: Promise<Buffer>,
  parser: BodyParser,
  done: Done
): Promise<void> {
  let inflated: Buffer
  try {
    inflated = await inflating
  } catch (error) {
    refuse(request, error as Error, done) // inflateText throws nothing else
    return
  }
  finish(request, inflated, parser, done)
}

function finish(request: FastifyRequest, bytes: Buffer, { parse, format }: BodyParser, done: Done): void {
  if (bytes.length === 0) {
    done(null)
    return
  }
  let body: unknown
  try {
    body = parse(bytes.toString())
  } catch (error) {
    done(error as Error) // the parsers throw nothing else
    return
  }
  if (body !== undefined) request.bodyFormat = format
  done(null, body)
}

const formData = /^\s*multipart\/form-data\s*(?:;|$)/i

/**
 * Forms with files are left to the method, where it receives the request. LB3: and so is every type that is not read
 * here.
 */
function isLeftToMethod({ headers, routeOptions }: FastifyRequest): boolean {
  const { operation } = routeOptions.config
  if (operation?.readsRequest !== true) return false
  return operation.model.registry.rules.leavesBodiesToMethods || formData.test(headers['content-type'] ?? '')
}

/** Refuses a body; where it is that of an operation and its type is unsupported, only once the caller is admitted. */
function refuse(request: FastifyRequest, error: Error, done: Done): void {
  const isLater = error instanceof UnsupportedMediaType && request.routeOptions.config.operation !== undefined
  if (isLater) request.bodyRefusal = error
  done(isLater ? null : error)
}

/** @throws {UnsupportedMediaType} the body of the request was refused */
export function throwIfRefused({ bodyRefusal }: FastifyRequest): void {
  if (bodyRefusal !== null) throw bodyRefusal
}

/** Keeps nothing: a body of an unknown type is refused as soon as its first byte is there, and the rest is passed over. */
function refuseBody(request: FastifyRequest, payload: NodeJS.ReadableStream, done: Done): void {
  if (request.headers['content-length'] === '0' || request.is404 || isLeftToMethod(request)) {
    done(null)
    return
  }
  let finished = false
  const finishOnce = (error: Error | null): void => {
    if (finished) return
    finished = true
    done(error)
  }
  payload.once('data', () => {
    passOver(request.raw)
    if (finished) return
    finished = true
    refuse(request, new UnsupportedMediaType('Bodies must be JSON, urlencoded or XML', 'media.type.unsupported'), done)
  })
  payload.once('end', () => finishOnce(null))
  payload.once('error', finishOnce)
}

/**
 * What `compressed` was before it was compressed. `encoding` is the Content-Encoding header: `gzip`, `deflate` or `br`.
 * Never holds more than `limit` bytes.
 * @throws {UnsupportedMediaType} another encoding, or several
 * @throws {PayloadTooLarge} more than `limit` bytes
 * @throws {InvalidEncoding} the data is damaged
 */
async function inflateBody(compressed: Buffer, encoding: string, limit: number): Promise<Buffer> {
  const name = encoding.trim().toLowerCase()
  const inflateBytes = Object.hasOwn(inflaters, name) ? inflaters[name] : undefined
  if (inflateBytes === undefined) {
    throw new UnsupportedMediaType('The content encoding is not supported', 'encoding.unsupported')
  }
  try {
    return await inflateBytes(compressed, { maxOutputLength: limit })
  } catch (cause) {
    if (isTooLarge(cause)) throw new PayloadTooLarge(`A body may have at most ${limit} bytes`, 'entity.too.large')
    throw new InvalidEncoding(name, cause)
  }
}

function isTooLarge(cause: unknown): boolean {
  return cause instanceof RangeError && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE'
}

const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i

/** True when the Content-Type header has the charset UTF-8 or none. */
function isUtf8(contentType: string): boolean {
  if (!contentType.includes(';')) return true
  const name = charset.exec(contentType)?.[1]
  return name === undefined || /^utf-?8$/i.test(name)
}

const factors: Readonly<Record<string, number>> = { b: 1, kb: 2 ** 10, mb: 2 ** 20, gb: 2 ** 30, tb: 2 ** 40 }

const pattern = /^(\d+(?:\.\d+)?)\s*(b|kb|mb|gb|tb)?$/i

/**
 * Parses a size such as `100kb`, `1.5 MB`, `512` or a plain number of bytes. A kilobyte has 1024 bytes.
 * @throws {InvalidOption} the text is not a size
 * @see LoopBack 3: the `limit` of `remoting.json` and `remoting.urlencoded`
 */
export function parseByteSize(size: string | number): number {
  const [, amount, unit = 'b'] = pattern.exec(String(size).trim()) ?? []
  const factor = factors[unit.toLowerCase()]
  if (amount === undefined || factor === undefined)
    throw new InvalidOption(`invalid size in bytes ${JSON.stringify(size)}`)
  return Math.floor(Number(amount) * factor)
}

/**
 * Parses an urlencoded body, undefined for the empty string. All leaves are strings.
 * @param ignoresPrototypeKeys LB3: parameters named `__proto__` are left out silently, pinned by formats/urlencoded
 * @throws {PayloadTooLarge} too many parameters
 * @throws {NameRefused} a name belongs to JavaScript's object model
 * @throws {LimitExceeded} nested deeper than `depth`
 * @see LoopBack 3: body-parser, urlencoded with `extended: true`
 */
export function parseForm(
  text: string,
  { parameters, depth }: Pick<BodySettings['urlencoded'], 'parameters' | 'depth'>,
  ignoresPrototypeKeys: boolean
): unknown {
  if (text === '') return undefined
  if (!ignoresPrototypeKeys) refusePrototypeKeys(text)
  const count = text.split('&', parameters + 1).length
  if (count > parameters)
    throw new PayloadTooLarge(`A form may have at most ${parameters} parameters`, 'parameters.too.many')
  const form = parseFields(text, count, depth)
  checkStructure(form, { depth: depth + 1 })
  return form
}

function parseFields(text: string, count: number, depth: number): Record<string, unknown> {
  try {
    // Names of Object.prototype get through here and are refused afterwards: dropping them would lose data silently.
    const options = { allowPrototypes: true, parameterLimit: count, arrayLimit: Math.max(100, count) }
    return loadQs().parse(text, { ...options, depth, strictDepth: true })
  } catch (cause) {
    throw new LimitExceeded('The form is nested too deeply', { cause })
  }
}

/**
 * Parses a JSON body; undefined for the empty string. A leading byte order mark is dropped.
 * @throws {InvalidBody} `text` is not JSON, or a scalar though `strict`
 * @throws {MalformedText} a key or text is not well-formed Unicode
 * @throws {NameRefused} a key belongs to JavaScript's object model
 * @throws {LimitExceeded} nested deeper than `depth`
 */
export function parseJson(text: string, { strict, depth }: Omit<BodySettings['json'], 'limit'>): unknown {
  const json = text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text
  if (json === '') return undefined
  const value = parseText(json)
  if (strict && (typeof value !== 'object' || value === null)) {
    throw new InvalidBody('The body must be a JSON object or array', { body: text })
  }
  if (mayBeDeeper(json, depth) || mayBeRefused(json)) checkStructure(value, { depth })
  return value
}

function parseText(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw new InvalidBody('The body is not valid JSON', { body: json, cause })
  }
}

/** False when `json` opens no more than `depth` objects and lists, so that nothing has to be measured. */
function mayBeDeeper(json: string, depth: number): boolean {
  return countUpTo(json, '{', depth + 1) + countUpTo(json, '[', depth + 1) > depth
}

function countUpTo(text: string, character: string, most: number): number {
  let count = 0
  for (let at = text.indexOf(character); at !== -1 && count < most; at = text.indexOf(character, at + 1)) count++
  return count
}

const refusable = new RegExp(`"(?:${[...reservedNames].join('|')})"\\s*:|\\\\u`)

/**
 * False when nothing in the JSON text `json` can have a reserved name as a key, or half of a surrogate pair, which only an escape can
 * write. True means: look at the value.
 */
function mayBeRefused(json: string): boolean {
  return refusable.test(json)
}
