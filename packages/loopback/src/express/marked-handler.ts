import { ExpressNotSupported } from '../errors.ts'
import type { MiddlewareEntry } from './middleware-entry.ts'

/** The kinds of handlers created by `loopback.rest()`, `loopback.status()` and the like. */
export type HandlerKind =
  | 'rest'
  | 'status'
  | 'token'
  | 'context'
  | 'favicon'
  | 'urlNotFound'
  | 'errorHandler'
  | 'explorer'

/** A handler that a script mounted, and where. */
export interface ScriptMount {
  readonly kind: HandlerKind
  readonly path: string
  readonly params: unknown
  /** The middleware phase; undefined: first in `routes`. */
  readonly phase: string | undefined
  /** The script. */
  readonly file: string
}

const mark: unique symbol = Symbol('handler')

interface Marked {
  [mark]: { kind: HandlerKind; params: unknown }
}

/**
 * A placeholder that scripts may mount like an Express handler. It cannot be called: this server recognizes it and serves
 * the corresponding feature.
 */
export function markedHandler(kind: HandlerKind, params: unknown): object {
  const handler = (): never => {
    throw new ExpressNotSupported(`loopback.${kind}() can be mounted, not called`)
  }
  return Object.assign(handler, { [mark]: { kind, params } })
}

/** The kind and parameters of a placeholder; undefined for an Express handler. */
export function readMark(handler: unknown): { kind: HandlerKind; params: unknown } | undefined {
  return typeof handler === 'function' && mark in handler ? (handler as Marked)[mark] : undefined // the mark is ours alone
}

/** The names of the handlers in `middleware.json`. */
export const handlerNames: Readonly<Record<HandlerKind, string>> = {
  rest: 'loopback#rest',
  status: 'loopback#status',
  token: 'loopback#token',
  context: 'loopback#context',
  favicon: 'loopback#favicon',
  urlNotFound: 'loopback#urlNotFound',
  errorHandler: 'strong-error-handler',
  explorer: 'loopback-component-explorer'
}

/** A mount as an entry of `middleware.json`. */
export function entryOf({ kind, path, params, phase = 'routes:before', file }: ScriptMount): MiddlewareEntry {
  const name = handlerNames[kind]
  return { name, phase, params, moreParams: [], paths: [path], methods: [], optional: false, file, key: name }
}
