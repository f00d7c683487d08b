import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import { checkHeader, checkStatus, type ScriptExchange } from '@modelwire/core'
import {
  borrowForRequest,
  borrowForResponse,
  type FunctionsByName,
  makeSafe,
  nextFunction
} from './express-functions.ts'

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
  /** A header, whatever its case; `undefined` when it is absent. */
  get: (name: string) => string | string[] | undefined
  header: (name: string) => string | string[] | undefined
  /** The token that the request was sent with, once users looked it up. */
  accessToken?: unknown
}

/** Node's response with what scripts written for Express commonly call. Its answers end the call. */
export type ExpressResponse = ServerResponse & {
  status: (code: number) => ExpressResponse
  set: (name: string | Record<string, string>, value?: string) => ExpressResponse
  header: (name: string | Record<string, string>, value?: string) => ExpressResponse
  get: (name: string) => unknown
  type: (mediaType: string) => ExpressResponse
  send: (body?: unknown) => ExpressResponse
  json: (body: unknown) => ExpressResponse
  sendStatus: (code: number) => ExpressResponse
  redirect: (first: number | string, second?: string) => void
  location: (url: string) => ExpressResponse
  vary: (field: string) => ExpressResponse
  locals: Record<string, unknown>
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

const withCharset = (type: string): string => (/^text\/|json$/.test(type) ? `${type}; charset=utf-8` : type)

const completed: unique symbol = Symbol('completed')

/** Defines members anew: where Express itself handled the request before, some of them are getters. */
function complete<Raw extends object>(raw: Raw, members: Readonly<Record<string, unknown>>): Raw {
  for (const [name, value] of Object.entries(members)) {
    Object.defineProperty(raw, name, { value, writable: true, enumerable: true, configurable: true })
  }
  return Object.defineProperty(raw, completed, { value: true })
}

/** LB3: null where tokens are looked for, undefined where access control is off. */
const noToken = ({ server }: ScriptExchange['request']): null | undefined =>
  server.models.isGuarded ? null : undefined

/** The raw request of a call, completed once. */
export function expressRequest({ request, reply, call, readQuery }: ScriptExchange): ExpressRequest {
  const raw = request.raw as ExpressRequest // it is completed here
  if (completed in raw) return raw
  const get = (name: string) => raw.headers[/^referr?er$/i.test(name) ? 'referer' : name.toLowerCase()]
  const url = raw.url ?? '/'
  return complete(raw, {
    ...borrowForRequest(request),
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

/** Status and headers of a response, in Express's words. */
function headMembers(raw: ExpressResponse): FunctionsByName {
  const set: ExpressResponse['set'] = (name, value) => {
    const headers = typeof name === 'string' ? { [name]: value ?? '' } : name
    for (const [key, text] of Object.entries(headers)) checkHeader(key, text)
    for (const [key, text] of Object.entries(headers)) raw.setHeader(key, text)
    return raw
  }
  return {
    status: (code: number) => Object.assign(raw, { statusCode: checkStatus(code) }),
    set,
    header: set,
    get: (name: string) => raw.getHeader(name),
    type: (mediaType: string) => set('content-type', withCharset(shorthandTypes[mediaType] ?? mediaType)),
    location: (url: string) => set('location', url),
    vary: (field: string) => set('vary', field)
  }
}

/** The methods that answer. `end` sends. */
function bodyMembers(
  raw: ExpressResponse,
  end: (body: string | Buffer | undefined) => ExpressResponse
): FunctionsByName {
  const setDefaultType = (type: string): void => {
    if (!raw.hasHeader('content-type')) raw.setHeader('content-type', type)
  }
  const json = (body: unknown): ExpressResponse => {
    setDefaultType('application/json; charset=utf-8')
    return end(JSON.stringify(body) ?? '')
  }
  const send = (body?: unknown): ExpressResponse => {
    if (typeof body !== 'string' && !Buffer.isBuffer(body)) return body === undefined ? end(undefined) : json(body)
    setDefaultType(Buffer.isBuffer(body) ? 'application/octet-stream' : 'text/html; charset=utf-8')
    return end(body)
  }
  const sendText = (code: number, text: string): ExpressResponse => {
    raw.statusCode = code
    raw.setHeader('content-type', 'text/plain; charset=utf-8')
    return send(text)
  }
  return {
    json,
    send,
    sendStatus: (code: number) => sendText(code, STATUS_CODES[code] ?? String(code)),
    redirect: (first: number | string, second?: string) => {
      const [code, url] = typeof first === 'number' ? [first, second ?? '/'] : [302, first]
      raw.setHeader('location', url.replace(/\p{Surrogate}/gu, '\uFFFD').replace(/[^!#-;=?-[\]_a-z~]+/g, encodeURI))
      sendText(code, `${redirectPhrases[code] ?? 'Redirecting'}. Redirecting to ${url}`)
    }
  }
}

/** The raw response of a call, completed once. As soon as it is used to answer, Fastify leaves it alone. */
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
  const functions = { ...borrowForResponse(request, reply), ...headMembers(raw), ...bodyMembers(raw, end) }
  return complete(raw, { locals: raw.locals ?? {}, ...makeSafe(functions, request, reply) })
}

const redirectPhrases: Readonly<Record<number, string>> = {
  301: 'Moved Permanently',
  302: 'Found',
  303: 'See Other',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect'
}
