import type { IncomingMessage } from 'node:http'
import { originForm } from '@modelwire/server'
import { RequestNotForwardable } from '../../errors.ts'
import type { OldServer } from './old-server.ts'

/** What concerns one connection and not the request. @see RFC 9110 section 7.6.1 */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade'
])

const rewritten = /^(?:host|x-forwarded-(?:for|host|port|proto))$/i

/** What only proxies say. @see RFC 7239 */
const saidByProxies = /^(?:x-)?forwarded(?:-.*)?$/i

/** Alternating header names and values, as received. */
export type RawHeaders = readonly string[]

/** Headers as pairs, without hop-by-hop headers. */
export function endToEnd(raw: RawHeaders): (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = []
  for (let at = 0; at + 1 < raw.length; at += 2) pairs.push([raw[at] ?? '', raw[at + 1] ?? ''])
  const named = pairs
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.split(',').map((each) => each.trim().toLowerCase()))
  const left = new Set([...hopByHop, ...named])
  return pairs.filter(([name]) => !left.has(name.toLowerCase()))
}

type IncomingParts = Pick<IncomingMessage, 'rawHeaders' | 'headers' | 'socket'>

/** Facts about a client's request for the old server. */
export interface Forwarding {
  /** The `Host` to send instead of the client's. */
  readonly host: string | undefined
  /** True for addresses of proxies whose `X-Forwarded-…` headers are passed on. */
  readonly isTrusted: (address: string) => boolean
}

/**
 * The headers of a client's request for the old server: without hop-by-hop headers, and with the client's address, host and
 * protocol. Such headers from a client are only used if it is a trusted proxy; its address is appended to `X-Forwarded-For`
 * in any case.
 */
export function forwardHeaders(
  { rawHeaders, headers, socket }: IncomingParts,
  { host, isTrusted }: Forwarding
): string[] {
  const address = socket.remoteAddress?.replace(/^::ffff:/, '') ?? 'unknown'
  const isProxy = isTrusted(address)
  const kept = endToEnd(rawHeaders).filter(([name]) => !rewritten.test(name) && (isProxy || !saidByProxies.test(name)))
  const before = oneOf(headers['x-forwarded-for'])
  const forwardedHeader = (name: string): string | undefined => (isProxy ? oneOf(headers[name]) : undefined)
  const added = [
    ['Host', host ?? headers.host],
    ['X-Forwarded-For', before === undefined ? address : `${before}, ${address}`],
    ['X-Forwarded-Host', forwardedHeader('x-forwarded-host') ?? headers.host],
    ['X-Forwarded-Port', forwardedHeader('x-forwarded-port') ?? String(socket.localPort ?? '')],
    ['X-Forwarded-Proto', forwardedHeader('x-forwarded-proto') ?? ('encrypted' in socket ? 'https' : 'http')]
  ] as const
  return [...added.flatMap(([name, value]) => (value ? [name, value] : [])), ...kept.flat()]
}

const oneOf = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value

/**
 * The path and query to request from the old server: as the client wrote them, but without the origin of an absolute
 * target, which guards by path would not recognize.
 * @throws {RequestNotForwardable} the target has no path, or names another host than `Host`
 * @see RFC 9112 section 3.2
 */
export function forwardTarget({ url = '/', headers }: IncomingMessage, { base }: Pick<OldServer, 'base'>): string {
  const form = originForm(url)
  if (form === undefined) throw new RequestNotForwardable('the request target must have a path')
  if (form.authority !== undefined && form.authority.toLowerCase() !== headers.host?.toLowerCase())
    throw new RequestNotForwardable('the request target and the header Host must name the same host')
  return base + form.target
}

/** Whether a request has a body. @see RFC 9112 section 6 */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
