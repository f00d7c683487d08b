import type { IncomingMessage } from 'node:http'

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

/** A header's name and value after the other, as they were sent. */
export type RawHeaders = readonly string[]

/** Headers as pairs, those of the connection left out. */
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

/** The facts of a client's request for the server behind. */
export interface Forwarding {
  /** The `Host` to send in place of the client's. */
  readonly host: string | undefined
  /** True for addresses of proxies whose `X-Forwarded-…` headers are passed on. */
  readonly isTrusted: (address: string) => boolean
}

/**
 * The headers of a client's request for the server behind: without those of the connection, and with the client's
 * address, host and protocol. Such headers of a client count only where it is a trusted proxy; its address joins
 * `X-Forwarded-For` in any case.
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
