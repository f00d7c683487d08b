import { OperationContext, type Operation, type OperationInput } from '@modelwire/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { expressRequest, expressResponse, type ExpressRequest, type ExpressResponse } from './express-objects.ts'

/** A call that came over HTTP. Scripts see its request and response as Express shows them. */
export class HttpContext extends OperationContext {
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply

  constructor(operation: Operation, input: OperationInput, request: FastifyRequest, reply: FastifyReply) {
    super(operation, input)
    this.#request = request
    this.#reply = reply
  }

  override get req(): ExpressRequest {
    return expressRequest(this.#request)
  }

  override get res(): ExpressResponse {
    return expressResponse(this.#reply, this.#request)
  }
}
