import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OperationContext } from './operation-context.ts'

/** A request, its reply, the call that it makes, and who reads its query string. */
export interface ScriptExchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** Null where the arguments could not be read. */
  readonly call: OperationContext | null
  /** The query string as methods get it: brackets make objects and lists. */
  readonly readQuery: (request: FastifyRequest) => Readonly<Record<string, unknown>>
}

/**
 * What code of the application sees as the request and the response of a call: Node's objects, with what it expects of
 * them. `loopback-express` installs it.
 */
export interface ScriptObjects {
  readonly request: (exchange: ScriptExchange) => IncomingMessage
  readonly response: (exchange: ScriptExchange) => ServerResponse
  /** True once a function of the response failed, and was answered as an error. */
  readonly hasFailed: (reply: FastifyReply) => boolean
}
