import type { ServerResponse } from 'node:http'
import { OperationContext, type Operation, type OperationInput } from '@modelwire/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { expressRequest, expressResponse, type ExpressRequest, type ExpressResponse } from './express-objects.ts'
import { hasFailed } from './express-functions.ts'

/** A call that came over HTTP. Scripts see its request and response as Express shows them. */
export class HttpContext extends OperationContext {
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply
  #signal: AbortSignal | undefined

  constructor(operation: Operation, input: OperationInput, request: FastifyRequest, reply: FastifyReply) {
    super(operation, input)
    this.#request = request
    this.#reply = reply
  }

  /** Made when a read asks for it: most requests are answered without anybody listening. */
  get signal(): AbortSignal {
    return (this.#signal ??= signalOf(this.#reply.raw))
  }

  override get req(): ExpressRequest {
    return expressRequest(this.#request, this.#reply)
  }

  override get res(): ExpressResponse {
    // Functions of the response look at the request.
    expressRequest(this.#request, this.#reply)
    return expressResponse(this.#reply, this.#request)
  }

  override get isHead(): boolean {
    return this.#request.method === 'HEAD'
  }

  override get hasFailed(): boolean {
    return hasFailed(this.#reply)
  }
}

/** Aborted when the connection closes before the response was written. */
function signalOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  if (response.destroyed) controller.abort()
  else
    response.once('close', () => {
      if (!response.writableFinished) controller.abort()
    })
  return controller.signal
}
