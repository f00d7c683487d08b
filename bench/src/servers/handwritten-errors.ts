import type { FastifyReply } from 'fastify'

/** Answers that there is no such product. */
export function sendMissing(reply: FastifyReply, id: string): FastifyReply {
  const error = { statusCode: 404, name: 'Error', message: `No Product has the id "${id}"`, code: 'MODEL_NOT_FOUND' }
  return reply.code(404).send({ error })
}

/** Answers any other error. */
export function sendError(reply: FastifyReply, statusCode: number, message: string): FastifyReply {
  return reply.code(statusCode).send({ error: { statusCode, name: 'Error', message } })
}
