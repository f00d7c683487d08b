import { ExpressNotSupported } from '../errors.ts'
import type { MiddlewareEntry } from '../middleware/middleware-entry.ts'

/** What the handlers of `loopback.rest()`, `loopback.status()` and the like stand for. */
export type HandlerKind =
  | 'rest'
  | 'status'
  | 'token'
  | 'context'
  | 'favicon'
  | 'static'
  | 'urlNotFound'
  | 'errorHandler'
  | 'explorer'

/** A handler that a script mounted, and where. */
export interface ScriptMount {
  readonly kind: HandlerKind
  readonly path: string
  readonly params: unknown
  /** The phase of middleware that it was put into; undefined comes first in `routes`. */
  readonly phase: string | undefined
  /** The script. */
  readonly file: string
}

const mark: unique symbol = Symbol('handler')

interface Marked {
  [mark]: { kind: HandlerKind; params: unknown }
}

/**
 * A function that scripts may mount like a handler of Express. It cannot be called: this server recognises it and serves
 * what it stands for.
 */
export function markedHandler(kind: HandlerKind, params: unknown): object {
  const handler = (): never => {
    throw new ExpressNotSupported(`loopback.${kind}() can be mounted, not called`)
  }
  return Object.assign(handler, { [mark]: { kind, params } })
}

/** What a handler stands for; undefined for a handler of Express. */
export function readMark(handler: unknown): { kind: HandlerKind; params: unknown } | undefined {
  return typeof handler === 'function' && mark in handler ? (handler as Marked)[mark] : undefined // the mark is ours alone
}

/** How `middleware.json` names what the handlers stand for. */
export const handlerNames: Readonly<Record<HandlerKind, string>> = {
  rest: 'loopback#rest',
  status: 'loopback#status',
  token: 'loopback#token',
  context: 'loopback#context',
  favicon: 'loopback#favicon',
  static: 'loopback#static',
  urlNotFound: 'loopback#urlNotFound',
  errorHandler: 'strong-error-handler',
  explorer: 'loopback-component-explorer'
}

/** A mount as if it stood in `middleware.json`. */
export function entryOf({ kind, path, params, phase = 'routes:before', file }: ScriptMount): MiddlewareEntry {
  const name = handlerNames[kind]
  return { name, phase, params, moreParams: [], paths: [path], methods: [], optional: false, file, key: name }
}
