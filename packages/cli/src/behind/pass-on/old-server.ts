import { isIP } from 'node:net'
import { Pool } from 'undici'
import type { Forwarding } from './forward-headers.ts'

/** Where the old server is, and how long it may take. */
export interface OldServerOptions {
  readonly url: URL
  /** Milliseconds until its response must begin; 0: no limit. */
  readonly timeout: number
  /** Send its own name as `Host`, instead of the one that the client used. */
  readonly rewriteHost: boolean
  /** True for addresses of proxies in front, whose `X-Forwarded-…` headers are passed on. */
  readonly isTrusted: Forwarding['isTrusted']
}

/** The old server. Clients and comparisons use separate connections, so that neither waits for the other. */
export interface OldServer extends OldServerOptions {
  /** Prefix for the path of each request; usually empty. */
  readonly base: string
  readonly forwarding: Forwarding
  readonly forClients: Pool
  readonly forComparisons: Pool
  readonly close: () => Promise<void>
}

/** Milliseconds in which a connection has to be there. */
const connectTime = 10_000

/** Less than the five seconds after which Node's own server, which does not announce it, closes an idle connection. */
const idleTime = 2000

/** The host of a URL in the form that sockets expect: IPv6 without brackets, and a TLS server name unless it is an address. */
export function hostOf({ hostname, protocol }: URL): { readonly hostname: string; readonly servername?: string } {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return { hostname: host, ...(protocol === 'https:' && isIP(host) === 0 && { servername: host }) }
}

/** Creates the connection pools; no request is sent yet. */
export function openOldServer(options: OldServerOptions, comparisons: number): OldServer {
  const { url, timeout, rewriteHost, isTrusted } = options
  const { servername } = hostOf(url)
  const pool = (connections: number | null): Pool =>
    new Pool(url.origin, {
      connections,
      pipelining: 1,
      keepAliveTimeout: idleTime,
      keepAliveMaxTimeout: idleTime,
      headersTimeout: timeout,
      // A change stream may be silent for as long as nothing changes.
      bodyTimeout: 0,
      connect: { timeout: connectTime, ...(servername !== undefined && { servername }) }
    })
  const forClients = pool(null)
  const forComparisons = pool(comparisons)
  return {
    ...options,
    forwarding: { host: rewriteHost ? url.host : undefined, isTrusted },
    base: url.pathname.replace(/\/$/, ''),
    forClients,
    forComparisons,
    close: async () => void (await Promise.all([forClients.destroy(), forComparisons.destroy()]))
  }
}
