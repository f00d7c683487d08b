import type { OperationContext } from '@modelwire/core'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Reads all arguments of an operation from a request. */
export type ReadArguments = (
  request: FastifyRequest,
  reply: FastifyReply,
  context: OperationContext
) => Record<string, unknown>
