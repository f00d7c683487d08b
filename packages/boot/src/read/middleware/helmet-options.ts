import type { FastifyHelmetOptions } from '@fastify/helmet'
import { isPlainObject } from '@modelwire/server'

/** Parts of helmet by the names of its releases of LoopBack's time, with the names of today. */
const parts: ReadonlyMap<string, string> = new Map([
  ['contentSecurityPolicy', 'contentSecurityPolicy'],
  ['csp', 'contentSecurityPolicy'],
  ['dnsPrefetchControl', 'xDnsPrefetchControl'],
  ['frameguard', 'xFrameOptions'],
  ['hidePoweredBy', 'xPoweredBy'],
  ['hsts', 'strictTransportSecurity'],
  ['ieNoOpen', 'xDownloadOptions'],
  ['noSniff', 'xContentTypeOptions'],
  ['permittedCrossDomainPolicies', 'xPermittedCrossDomainPolicies'],
  ['referrerPolicy', 'referrerPolicy'],
  ['xssFilter', 'xXssProtection']
])

/** What today's helmet sends and that of LoopBack did not. */
const unknownThen = [
  'crossOriginEmbedderPolicy',
  'crossOriginOpenerPolicy',
  'crossOriginResourcePolicy',
  'originAgentCluster'
]

/** The middleware that plain `helmet` enabled. */
export const helmetDefaults: readonly string[] = [
  'dnsPrefetchControl',
  'frameguard',
  'hidePoweredBy',
  'hsts',
  'ieNoOpen',
  'noSniff',
  'xssFilter'
]

/** Headers that keep responses out of caches: a middleware that today's helmet no longer has. */
export const noCacheHeaders: Readonly<Record<string, string>> = {
  'surrogate-control': 'no-store',
  'cache-control': 'no-store, no-cache, must-revalidate, proxy-revalidate',
  pragma: 'no-cache',
  expires: '0'
}

/** True for a helmet middleware that is supported here. */
export function isHelmetPart(name: string): boolean {
  return parts.has(name) || name === 'noCache'
}

/** The options of `@fastify/helmet` for the given middleware, with the old parameters; all others are off. */
export function helmetOptions(wanted: ReadonlyMap<string, unknown>): FastifyHelmetOptions {
  const options: Record<string, unknown> = {}
  for (const name of [...parts.values(), ...unknownThen]) options[name] = false
  for (const [name, params] of wanted) {
    const part = parts.get(name)
    if (part !== undefined) options[part] = partOptions(params)
  }
  return options
}

/** A text alone is the action of frameguard, the one part that took one. */
function partOptions(params: unknown): unknown {
  if (typeof params === 'string') return { action: params.toLowerCase() }
  return isPlainObject(params) ? renamed(params) : true
}

/** `includeSubdomains` is spelled otherwise today. */
function renamed(params: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { includeSubdomains, ...others } = params
  return includeSubdomains === undefined ? others : { includeSubDomains: includeSubdomains, ...others }
}
