import type { OutgoingHttpHeader, ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'

const joined: unique symbol = Symbol('joined')

function addReplyHeaders(raw: ServerResponse, reply: FastifyReply): void {
  const headers: Readonly<Record<string, OutgoingHttpHeader | undefined>> = reply.getHeaders()
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !raw.hasHeader(name)) raw.setHeader(name, value)
}

/** Makes browsers use the declared type of a response, instead of guessing it from the content. */
export const unsniffed = (reply: FastifyReply): FastifyReply => reply.header('x-content-type-options', 'nosniff')

/**
 * The response itself, for code that writes to it, or pipes a stream to it: including headers that plugins set on the
 * reply.
 */
export function responseOf(reply: FastifyReply): ServerResponse {
  const { raw } = reply
  if (joined in raw) return raw
  const write = raw.writeHead.bind(raw) as (...args: unknown[]) => ServerResponse // the arguments are passed on as they are
  const writeHead = (...args: unknown[]): ServerResponse => {
    if (!raw.headersSent) addReplyHeaders(raw, reply)
    return write(...args)
  }
  return Object.defineProperty(Object.assign(raw, { writeHead }), joined, { value: true })
}
