import type { FastifyBaseLogger } from 'fastify'

/** Who hears of messages: the server's log. */
export type MailLog = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
