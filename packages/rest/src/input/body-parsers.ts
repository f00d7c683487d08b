import { isUtf8 as holdsUtf8 } from 'node:buffer'
import { type Awaitable, MalformedText, passOver, registerForms } from '@modelwire/core/plugin'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { UnsupportedMediaType } from '../errors.ts'
import type { BodySettings } from './body-options.ts'
import { inflateBody } from './inflate-body.ts'
import { isUtf8 } from './is-utf8.ts'
import { parseByteSize } from './parse-byte-size.ts'
import { parseForm } from './parse-form.ts'
import { parseJson } from './parse-json.ts'
import { parseXml } from './parse-xml.ts'

/** How a request's body was written: JSON is coerced strictly, forms and XML hold texts. */
export type BodyFormat = 'none' | 'json' | 'form' | 'xml'

declare module 'fastify' {
  interface FastifyRequest {
    /** How the body was written; `none` when there is none, or an empty one. */
    bodyFormat: BodyFormat
    /** Why the body was not read; the caller hears of it who may make the request without one. */
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
    refuse(
      request,
      new UnsupportedMediaType('Bodies are read as JSON, urlencoded or XML', 'media.type.unsupported'),
      done
    )
  })
  payload.once('end', () => finishOnce(null))
  payload.once('error', finishOnce)
}
