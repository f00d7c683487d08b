import type { FastifyReply } from 'fastify'

/** True where an answer has begun: no other one can be given. */
export const isAnswered = (reply: FastifyReply): boolean =>
  reply.sent || reply.raw.headersSent || reply.raw.writableEnded
