import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** What is read of a body that nobody wants before the connection is cut. */
const limits = { bytes: 16 * 1024 * 1024, milliseconds: 10_000 }

/** Streams of HTTP/2 end by themselves, and requests of `inject` have no connection. */
const isSending = ({ complete, socket, httpVersionMajor }: IncomingMessage): boolean =>
  !complete && httpVersionMajor === 1 && socket instanceof Socket

/**
 * Reads on what a client still sends of a body that nobody wants, so that it hears the answer, and the next request of the connection
 * begins where this one ends (RFC 9112, 9.3 and 9.6). A client that sends too much, or too long, is cut off.
 */
export function passOver(request: IncomingMessage, { bytes, milliseconds } = limits): void {
  const { socket } = request
  if (!isSending(request)) return
  let left = bytes
  const count = (chunk: Buffer): void => {
    left -= chunk.length
    if (left < 0) cut()
  }
  const stop = (): void => {
    clearTimeout(timer)
    request.off('data', count)
  }
  const cut = (): void => {
    stop()
    socket.destroySoon()
  }
  const timer = setTimeout(cut, milliseconds).unref()
  request.on('data', count)
  for (const event of ['end', 'close', 'error'] as const) request.once(event, stop)
  request.resume()
}

/** Answers an error while the client is still sending: the connection stays open until it has sent the rest. */
export function answerWhileSending({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (!isSending(raw)) return
  // Fastify would close it, and what is unread then takes the answer with it.
  void reply.removeHeader('connection')
  passOver(raw)
}
