import { type IncomingMessage, STATUS_CODES } from 'node:http'
import { checkHeader, checkStatus } from '@modelwire/core/plugin'
import type { FunctionsByName } from './express-functions.ts'
import type { ExpressResponse, HeaderValue } from './express-objects.ts'

const shorthandTypes: Readonly<Record<string, string>> = {
  json: 'application/json',
  html: 'text/html',
  text: 'text/plain',
  txt: 'text/plain',
  xml: 'application/xml',
  csv: 'text/csv',
  bin: 'application/octet-stream'
}

/** LB3: texts and JSON get the charset UTF-8 by default. */
const withCharset = (type: string): string =>
  /^text\/|json$|javascript$/.test(type) && !/;\s*charset\s*=/i.test(type) ? `${type}; charset=utf-8` : type

/** LB3: `back` is where the client came from. */
const placeOf = (url: string, { headers }: IncomingMessage): string => (url === 'back' ? (headers.referer ?? '/') : url)

const encodeLocation = (url: string): string =>
  url.replace(/\p{Surrogate}/gu, '\uFFFD').replace(/[^!#-;=?-[\]_a-z~]+/g, encodeURI)

function namesIn(vary: unknown): readonly string[] {
  return [vary ?? []].flat().flatMap((text) => String(text).split(/ *, */))
}

/** Status and headers of a response, in Express's words. */
export function headMembers(request: IncomingMessage, raw: ExpressResponse): FunctionsByName {
  const set: ExpressResponse['set'] = (name, value) => {
    const headers: Readonly<Record<string, HeaderValue>> = typeof name === 'string' ? { [name]: value ?? '' } : name
    for (const [key, given] of Object.entries(headers))
      for (const text of [given].flat()) checkHeader(key, String(text))
    for (const [key, given] of Object.entries(headers)) {
      const text = Array.isArray(given) ? given.map(String) : String(given)
      raw.setHeader(key, key.toLowerCase() === 'content-type' ? withCharset(String(text)) : text)
    }
    return raw
  }
  const type = (mediaType: string): ExpressResponse => set('content-type', shorthandTypes[mediaType] ?? mediaType)
  return {
    status: (code: number) => Object.assign(raw, { statusCode: checkStatus(code) }),
    set,
    header: set,
    get: (name: string) => raw.getHeader(name),
    type,
    contentType: type,
    location: (url: string) => set('location', encodeLocation(placeOf(url, request))),
    vary: (field: string | readonly string[]) =>
      set('vary', [...new Set([...namesIn(raw.getHeader('vary')), ...namesIn(field)])].join(', '))
  }
}

/** Sets the status that stands among two arguments, and gives the other one. LB3: a number in front of the body, else behind it. */
function bodyOf(raw: ExpressResponse, args: readonly unknown[]): unknown {
  const [first, second] = args
  if (args.length < 2) return first
  const [status, body] = typeof first !== 'number' && typeof second === 'number' ? [second, first] : [first, second]
  raw.statusCode = checkStatus(Number(status))
  return body
}

/** The methods that answer. `end` sends. */
export function bodyMembers(
  request: IncomingMessage,
  raw: ExpressResponse,
  end: (body: string | Buffer | undefined) => ExpressResponse
): FunctionsByName {
  const setDefaultType = (type: string): void => {
    if (!raw.hasHeader('content-type')) raw.setHeader('content-type', type)
  }
  const writeJson = (body: unknown): ExpressResponse => {
    setDefaultType('application/json; charset=utf-8')
    return end(JSON.stringify(body) ?? '')
  }
  const write = (body: unknown): ExpressResponse => {
    if (body === undefined || body === null) return end(body === null ? '' : undefined)
    if (typeof body !== 'string' && !Buffer.isBuffer(body)) return writeJson(body)
    setDefaultType(Buffer.isBuffer(body) ? 'application/octet-stream' : 'text/html; charset=utf-8')
    return end(body)
  }
  const sendText = (code: number, text: string): ExpressResponse => {
    raw.statusCode = checkStatus(code)
    raw.setHeader('content-type', 'text/plain; charset=utf-8')
    return write(text)
  }
  const sendStatus = (code: number): ExpressResponse => sendText(code, STATUS_CODES[code] ?? String(code))
  return {
    json: (...args: readonly unknown[]) => writeJson(bodyOf(raw, args)),
    send: (...args: readonly unknown[]) =>
      args.length === 1 && typeof args[0] === 'number' ? sendStatus(args[0]) : write(bodyOf(raw, args)),
    sendStatus,
    redirect: (first: number | string, second?: number | string) => {
      const [code, url] = typeof first === 'number' ? [first, String(second ?? '/')] : [Number(second ?? 302), first]
      const place = encodeLocation(placeOf(url, request))
      raw.setHeader('location', place)
      sendText(code, `${STATUS_CODES[code] ?? 'Redirecting'}. Redirecting to ${place}`)
    }
  }
}
