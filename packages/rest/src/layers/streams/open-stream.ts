import type { Readable } from 'node:stream'
import { ChangeReaderTooSlow } from '@modelwire/core/plugin'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { unsniffed } from '../../output/reply-headers.ts'
import type { StreamFormat } from './stream-format.ts'

/** An open stream of objects to one client. */
export class OpenStream {
  /** Checks that the caller may still listen; throws, or rejects, if not. */
  readonly check: () => Promise<void>
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply
  readonly #source: Readable
  readonly #format: StreamFormat
  readonly #factsOf: (error: unknown) => object

  constructor(
    { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
    source: Readable,
    parts: {
      readonly format: StreamFormat
      readonly factsOf: (error: unknown) => object
      readonly check: () => Promise<void>
      readonly onClose: (stream: OpenStream) => void
    }
  ) {
    this.#request = request
    this.#reply = reply
    this.#source = source
    this.#format = parts.format
    this.#factsOf = parts.factsOf
    this.check = parts.check
    const { raw } = reply
    raw.on('close', () => {
      source.destroy()
      parts.onClose(this)
    })
    raw.on('drain', () => source.resume())
    source.on('error', (error) => this.fail(error))
    source.on('end', () => this.end())
  }

  /** Sends the head of the response, followed by everything from the stream. */
  start(status: number): void {
    const { raw } = this.#reply
    // The head and what plugins added to it: this answer does not go through Fastify.
    for (const [name, value] of Object.entries({ ...unsniffed(this.#reply).getHeaders(), ...this.#format.headers }))
      if (value !== undefined) raw.setHeader(name, value)
    raw.writeHead(status)
    raw.write(this.#format.open())
    this.#source.on('data', (chunk: unknown) => {
      // What the connection cannot take waits in the source, which knows its limit.
      if (!raw.write(this.#format.chunk(chunk))) this.#source.pause()
    })
  }

  /** Sends a heartbeat to the client and any proxies. A stalled one has enough to read. */
  beat(): void {
    const { raw } = this.#reply
    if (!raw.writableEnded && !raw.writableNeedDrain) raw.write(this.#format.heartbeat())
  }

  /** Ends the response normally. */
  end(): void {
    this.#finish(this.#format.end())
  }

  /**
   * Ends the response with an error. A reader that is too slow, or has not read an earlier end, would not receive it: its
   * connection is closed.
   */
  fail(error: unknown): void {
    const { raw } = this.#reply
    if (error instanceof ChangeReaderTooSlow) {
      this.#request.log.warn({ reason: error.message }, 'a reader of a stream was dropped')
      raw.destroy()
    } else if (raw.writableEnded) raw.destroy()
    else this.#finish(this.#format.error(this.#factsOf(error)))
  }

  /** Sends the last part, once: nothing can be written after it. */
  #finish(last: string): void {
    this.#source.destroy()
    if (!this.#reply.raw.writableEnded) this.#reply.raw.end(last)
  }
}
