import type { FastifyInstance, FastifyRequest } from 'fastify'
import { UnsupportedMediaType } from '../errors.ts'
import type { BodyOptions } from './body-options.ts'
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

const defaultLimit = '100kb'

/**
 * Makes `scope` read JSON, urlencoded and XML bodies, and refuse every other kind. An empty body is undefined whatever
 * its type. `request.bodyFormat` tells how the body was written.
 *
 * A request can then fail with InvalidBody, InvalidEncoding, XmlRefused, NameRefused or LimitExceeded (400),
 * PayloadTooLarge or Fastify's FST_ERR_CTP_BODY_TOO_LARGE (413), UnsupportedMediaType (415).
 */
export function registerBodyParsers(
  scope: FastifyInstance,
  options: BodyOptions = {},
  ignoresPrototypeKeys = false
): void {
  scope.removeAllContentTypeParsers()
  if (!scope.hasRequestDecorator('bodyFormat')) scope.decorateRequest('bodyFormat', 'none')
  for (const parser of compileParsers(options, ignoresPrototypeKeys)) addParser(scope, parser)
  scope.addContentTypeParser('*', refuseBody)
}

function compileParsers(
  { json = {}, urlencoded = {}, xml = {} }: BodyOptions,
  ignoresPrototypeKeys: boolean
): BodyParser[] {
  return [
    {
      types: ['application/json'],
      format: 'json',
      limit: parseByteSize(json.limit ?? defaultLimit),
      parse: (text) => parseJson(text, json)
    },
    {
      types: ['application/x-www-form-urlencoded'],
      format: 'form',
      limit: parseByteSize(urlencoded.limit ?? defaultLimit),
      parse: (text) => parseForm(text, { ...urlencoded, ignoresPrototypeKeys })
    },
    {
      types: ['application/xml', 'text/xml'],
      format: 'xml',
      limit: parseByteSize(xml.limit ?? defaultLimit),
      parse: (text) => parseXml(text, xml)
    }
  ]
}

function addParser(scope: FastifyInstance, parser: BodyParser): void {
  const read = (request: FastifyRequest, bytes: Buffer, done: Done): void => {
    const { 'content-encoding': encoding, 'content-type': contentType = '' } = request.headers
    if (bytes.length === 0) done(null)
    else if (!isUtf8(contentType)) done(new UnsupportedMediaType('The charset must be UTF-8', 'charset.unsupported'))
    else if (encoding === undefined || /^identity$/i.test(encoding)) finish(request, bytes, parser, done)
    else void readEncoded(request, bytes, encoding, parser, done)
  }
  // `done` instead of a promise: Fastify then goes on within the same tick.
  scope.addContentTypeParser(parser.types, { parseAs: 'buffer', bodyLimit: parser.limit }, read)
}

async function readEncoded(
  request: FastifyRequest,
  bytes: Buffer,
  encoding: string,
  parser: BodyParser,
  done: Done
): Promise<void> {
  let inflated: Buffer
  try {
    inflated = await inflateBody(bytes, encoding, parser.limit)
  } catch (error) {
    done(error as Error) // inflateBody throws nothing else
    return
  }
  finish(request, inflated, parser, done)
}

function finish(request: FastifyRequest, bytes: Buffer, { parse, format }: BodyParser, done: Done): void {
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

/** Reads nothing: a body of an unknown type is refused as soon as its first byte is there. */
function refuseBody(request: FastifyRequest, payload: NodeJS.ReadableStream, done: Done): void {
  if (request.headers['content-length'] === '0') {
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
    payload.pause()
    finishOnce(new UnsupportedMediaType('Bodies are read as JSON, urlencoded or XML', 'media.type.unsupported'))
  })
  payload.once('end', () => finishOnce(null))
  payload.once('error', finishOnce)
}
