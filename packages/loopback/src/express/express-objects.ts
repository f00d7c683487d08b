import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { ScriptExchange } from '@modelwire/core/plugin'
import { checkStatus, checkHeader } from '@modelwire/server'
import {
  borrowForRequest,
  borrowForResponse,
  makeSafe,
  nextFunction,
  type FunctionsByName
} from './express-functions.ts'
import { installMembers } from '../script-members.ts'

/** Node's request with what scripts written for Express commonly read. */
export type ExpressRequest = IncomingMessage & {
  query: Record<string, unknown>
  body: unknown
  params: Record<string, string | undefined>
  originalUrl: string
  baseUrl: string
  path: string
  ip: string
  protocol: string
  secure: boolean
  hostname: string
  xhr: boolean
  /** Returns a header, ignoring case; `undefined` if it is absent. */
  get: (name: string) => string | string[] | undefined
  header: (name: string) => string | string[] | undefined
  /** The token that the request was sent with, once users has looked it up. */
  accessToken?: unknown
}

/** A value of a header. */
export type HeaderValue = string | number | readonly string[]

/** Node's response with what scripts written for Express commonly call. Responses sent with it end the call. */
export type ExpressResponse = ServerResponse & {
  status: (code: number) => ExpressResponse
  set: (name: string | Readonly<Record<string, HeaderValue>>, value?: HeaderValue) => ExpressResponse
  header: (name: string | Readonly<Record<string, HeaderValue>>, value?: HeaderValue) => ExpressResponse
  get: (name: string) => unknown
  type: (mediaType: string) => ExpressResponse
  contentType: (mediaType: string) => ExpressResponse
  /** `(body)`; also `(status)`, `(status, body)` and `(body, status)`, as in Express 4. */
  send: (...args: readonly unknown[]) => ExpressResponse
  /** `(body)`; also `(status, body)` and `(body, status)`, as in Express 4. */
  json: (...args: readonly unknown[]) => ExpressResponse
  sendStatus: (code: number) => ExpressResponse
  redirect: (first: number | string, second?: number | string) => void
  location: (url: string) => ExpressResponse
  vary: (field: string | readonly string[]) => ExpressResponse
  locals: Record<string, unknown>
}

const completed: unique symbol = Symbol('completed')

/** Defines members anew: where Express itself handled the request before, some of them are getters. */
function complete<Raw extends object>(raw: Raw, members: Readonly<Record<string, unknown>>): Raw {
  const rows = Object.entries(members).map(([name, value]) => [name, 'value', value] as const)
  return Object.defineProperty(installMembers(raw, rows, { isListed: true }), completed, { value: true })
}

/** LB3: null where tokens are looked for, undefined where access control is off. */
const noToken = ({ server }: ScriptExchange['request']): null | undefined =>
  server.models.isGuarded ? null : undefined

/** The raw request of a call, extended once. */
export function expressRequest({ request, reply, call, readQuery }: ScriptExchange): ExpressRequest {
  const raw = request.raw as ExpressRequest // it is completed here
  if (completed in raw) return raw
  const get = (name: string) => raw.headers[/^referr?er$/i.test(name) ? 'referer' : name.toLowerCase()]
  const url = raw.url ?? '/'
  return complete(raw, {
    ...borrowForRequest(request),
    res: reply.raw,
    ips: request.ips,
    host: request.hostname,
    next: nextFunction(request, reply),
    query: { ...readQuery(request) },
    body: request.body ?? {},
    params: request.params,
    originalUrl: url,
    baseUrl: '',
    path: url.split('?')[0] ?? url,
    ip: request.ip,
    protocol: request.protocol,
    secure: request.protocol === 'https',
    hostname: request.hostname,
    remotingContext: call,
    // Where nothing here looks for tokens, what middleware of the application put there stays.
    accessToken: request.accessToken ?? raw.accessToken ?? noToken(request),
    xhr: /^xmlhttprequest$/i.test(String(raw.headers['x-requested-with'] ?? '')),
    get,
    header: get
  })
}

/** The raw response of a call, extended once. As soon as it is used to respond, Fastify no longer touches it. */
export function expressResponse({ request, reply }: ScriptExchange): ExpressResponse {
  const raw = reply.raw as ExpressResponse // it is completed here
  if (completed in raw) return raw
  const end = (body: string | Buffer | undefined): ExpressResponse => {
    checkStatus(raw.statusCode)
    reply.hijack()
    // Headers that plugins set on the reply belong to the answer too.
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined && !raw.hasHeader(name)) raw.setHeader(name, value)
    if (body !== undefined) raw.setHeader('content-length', Buffer.byteLength(body))
    raw.end(request.method === 'HEAD' ? undefined : body)
    return raw
  }
  const functions = {
    ...borrowForResponse(request, reply),
    ...headMembers(request.raw, raw),
    ...bodyMembers(request.raw, raw, end)
  }
  return complete(raw, { req: request.raw, locals: raw.locals ?? {}, ...makeSafe(functions, request, reply) })
}

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

/** Status and headers of a response, in Express's terms. */
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

/** The methods that send a response. `end` sends. */
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
