import { expressRequest, type ExpressRequest, expressResponse, type ExpressResponse } from '../express-objects.ts'
import type { ErrorHandler } from './send-error.ts'

/** Answers an error itself, or hands it on by `next`: an Express error handler. */
export type ErrorFunction = (
  error: unknown,
  req: ExpressRequest,
  res: ExpressResponse,
  next: (error?: unknown) => void
) => unknown

/**
 * Lets a function of the application answer errors first. What it hands on, throws or rejects with is answered as usual; an error in
 * the place of the first one is told instead of it.
 * @see LoopBack 3: strong-remoting, lib/rest-adapter.js, `errorHandler.handler`
 */
export function handToHandler(handler: ErrorFunction, send: ErrorHandler): ErrorHandler {
  return (thrown, request, reply) => {
    let isHandedOn = false
    const next = (other?: unknown): void => {
      if (isHandedOn) return
      isHandedOn = true
      send(other ?? thrown, request, reply)
    }
    const handle = async (): Promise<void> => {
      try {
        await handler(thrown, expressRequest(request, reply), expressResponse(reply, request), next)
      } catch (error) {
        next(error)
      }
    }
    void handle()
  }
}
