import type { IncomingMessage, ServerResponse } from 'node:http'
import { checkStatus, type ScriptExchange } from '@modelwire/core/plugin'
import { borrowForRequest, borrowForResponse, makeSafe, nextFunction } from './express-functions.ts'
import { bodyMembers, headMembers } from './response-members.ts'

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

/** A value of a header. */
export type HeaderValue = string | number | readonly string[]

/** Node's response with what scripts written for Express commonly call. Its answers end the call. */
export type ExpressResponse = ServerResponse & {
  status: (code: number) => ExpressResponse
  set: (name: string | Readonly<Record<string, HeaderValue>>, value?: HeaderValue) => ExpressResponse
  header: (name: string | Readonly<Record<string, HeaderValue>>, value?: HeaderValue) => ExpressResponse
  get: (name: string) => unknown
  type: (mediaType: string) => ExpressResponse
  contentType: (mediaType: string) => ExpressResponse
  /** `(body)`; Express 4 takes `(status)`, `(status, body)` and `(body, status)`, too. */
  send: (...args: readonly unknown[]) => ExpressResponse
  /** `(body)`; Express 4 takes `(status, body)` and `(body, status)`, too. */
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
  const functions = {
    ...borrowForResponse(request, reply),
    ...headMembers(request.raw, raw),
    ...bodyMembers(request.raw, raw, end)
  }
  return complete(raw, { req: request.raw, locals: raw.locals ?? {}, ...makeSafe(functions, request, reply) })
}
