import type { FastifyReply } from 'fastify'

/** True once an answer has begun: no other one can be sent. */
export const isAnswered = (reply: FastifyReply): boolean =>
  reply.sent || reply.raw.headersSent || reply.raw.writableEnded
