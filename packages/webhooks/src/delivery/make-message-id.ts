import { randomUUID } from 'node:crypto'

/** The id of a new message, which all attempts to send it have. @see Standard Webhooks, webhook-id */
export const makeMessageId = (): string => `msg_${randomUUID().replaceAll('-', '')}`
