import type { FastifyBaseLogger } from 'fastify'

/** The log of messages: the server's. */
export type MailLog = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
