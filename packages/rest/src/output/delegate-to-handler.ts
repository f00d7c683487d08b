import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ModelRegistry } from '@modelwire/core'
import type { ReadQuery } from '../input/read-query.ts'
import { responseOf } from './reply-headers.ts'
import type { ErrorHandler } from './send-error.ts'

/** Answers an error itself, or passes it on by `next`: an Express error handler. */
export type ErrorFunction = (
  error: unknown,
  req: IncomingMessage,
  res: ServerResponse,
  next: (error?: unknown) => void
) => unknown

/**
 * Lets a function of the application answer errors first. What it passes on, throws or rejects with is answered by
 * `send`; another error passed to `next` replaces the first one.
 * @see LoopBack 3: strong-remoting, lib/rest-adapter.js, `errorHandler.handler`
 */
export function delegateToHandler(
  handler: ErrorFunction,
  send: ErrorHandler,
  { registry, readQuery }: { readonly registry: ModelRegistry; readonly readQuery: ReadQuery }
): ErrorHandler {
  return (thrown, request, reply) => {
    let isAnswered = false
    const next = (other?: unknown): void => {
      if (isAnswered) return
      isAnswered = true
      send(other ?? thrown, request, reply)
    }
    const handle = async (): Promise<void> => {
      try {
        const { scriptObjects } = registry
        const exchange = { request, reply, call: request.operationContext, readQuery }
        const response = responseOf(reply)
        const req = scriptObjects?.request(exchange) ?? request.raw
        await handler(thrown, req, scriptObjects?.response(exchange) ?? response, next)
      } catch (error) {
        next(error)
      }
    }
    void handle()
  }
}
