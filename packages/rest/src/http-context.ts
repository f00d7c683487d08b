import type { IncomingMessage, ServerResponse } from 'node:http'
import { OperationContext, type ModelRegistry } from '@modelwire/core'
import { type Operation, type ScriptExchange, registryOf } from '@modelwire/core/plugin'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ReadQuery } from './input/read-query.ts'
import { responseOf } from './output/reply-headers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The call of this request, once its arguments are read. */
    operationContext: OperationContext | null
  }
}

type HttpExchange = Omit<ScriptExchange, 'call'>

/** A call over HTTP. Scripts see its request and response as the registry's `scriptObjects` present them. */
export class HttpContext extends OperationContext {
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply
  readonly #readQuery: ReadQuery
  #signal: AbortSignal | undefined

  constructor(
    operation: Operation,
    input: NonNullable<ConstructorParameters<typeof OperationContext>[1]>,
    { request, reply, readQuery }: HttpExchange
  ) {
    super(operation, input)
    this.#request = request
    this.#reply = reply
    this.#readQuery = readQuery
  }

  /** Created when a read uses it: most requests never do. */
  get signal(): AbortSignal {
    return (this.#signal ??= signalOf(this.#reply))
  }

  get #objects(): ModelRegistry['scriptObjects'] {
    return registryOf(this.operation.model).scriptObjects
  }

  get #exchange(): ScriptExchange {
    return { request: this.#request, reply: this.#reply, call: this, readQuery: this.#readQuery }
  }

  override get req(): IncomingMessage {
    // Scripts reach the response through the request, too.
    responseOf(this.#reply)
    return this.#objects?.request(this.#exchange) ?? this.#request.raw
  }

  override get res(): ServerResponse {
    const response = responseOf(this.#reply)
    return this.#objects?.response(this.#exchange) ?? response
  }

  override get isHead(): boolean {
    return this.#request.method === 'HEAD'
  }

  override get hasFailed(): boolean {
    return this.#objects?.hasFailed(this.#reply) ?? false
  }
}

/** Returns a signal that is aborted if the connection closes before the response was written, or the handler's time is over. */
export function signalOf({ raw: response, request }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const abort = (): void => controller.abort()
  if (response.destroyed) abort()
  else
    response.once('close', () => {
      if (!response.writableFinished) abort()
    })
  if (request.routeOptions.handlerTimeout) request.signal.addEventListener('abort', abort, { once: true })
  return controller.signal
}

/** The call of a request whose arguments were read. */
export function contextOf({ operationContext }: FastifyRequest): OperationContext {
  if (operationContext === null) throw new TypeError('the arguments of this request were not read')
  return operationContext
}

const innerRequests = new WeakSet<IncomingMessage>()

/** Marks a request whose answer becomes a part of another one, as those of batches do. */
export const markInner = (raw: IncomingMessage): void => void innerRequests.add(raw)

/** True for a request whose answer becomes a part of another one. */
export const isInner = ({ raw }: FastifyRequest): boolean => innerRequests.has(raw)
