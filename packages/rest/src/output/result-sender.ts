import type { OperationContext } from '@modelwire/core'
import type { Awaitable } from '@modelwire/core/plugin'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Sends the result of one operation; a promise where it takes so long that others have their turn meanwhile. */
export type SendResult = (
  request: FastifyRequest,
  reply: FastifyReply,
  context: OperationContext
) => Awaitable<FastifyReply>
