import { createRequire } from 'node:module'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** A request while Express handles it. */
export type ExpressRequest = IncomingMessage & { app?: unknown; originalUrl?: string }

/** Continues with the next handler: with an error, or with `router` to leave the router. */
export type Next = (error?: unknown) => void

/** A request handler. */
export type Handler = (request: ExpressRequest, response: ServerResponse, next: Next) => void

/** An error handler: Express recognizes it by its four parameters. */
export type ErrorHandler = (error: unknown, request: ExpressRequest, response: ServerResponse, next: Next) => void

/** A router of Express. */
export interface ExpressRouter extends Handler {
  readonly use: (...args: unknown[]) => unknown
  readonly all: (...args: unknown[]) => unknown
}

/** An application of Express. */
export interface ExpressApplication extends ExpressRouter {
  locals: object
  /** The prototype of its requests and responses. */
  readonly request: object
  readonly response: object
  readonly set: (name: string, value: unknown) => unknown
  readonly get: (name: string) => unknown
  readonly engine: (extension: string, engine: unknown) => unknown
  readonly render: (name: string, options: object, callback: (error: unknown, text?: string) => void) => void
}

/** The part of the module `express` that is used here. */
export interface ExpressModule {
  (): ExpressApplication
  readonly Router: () => ExpressRouter
  readonly json: (options?: unknown) => Handler
  readonly urlencoded: (options?: unknown) => Handler
}

/** Loads the module `express` in LoopBack 3's version, on the first call: most applications never need it. */
export function loadExpress(): ExpressModule {
  return createRequire(import.meta.url)('express') as ExpressModule // a dependency of this package
}
