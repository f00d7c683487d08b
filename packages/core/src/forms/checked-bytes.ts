import { Transform, type TransformCallback } from 'node:stream'
import type { Awaitable } from '../values/awaitable.ts'

/** The bytes that stand in place of those that came. Throws what is answered where they cannot be read. */
export type CheckBytes = (bytes: Buffer) => Awaitable<Buffer>

/** A stream that counts what it read before it changed it; Fastify compares that with the Content-Length header. */
export interface CountedStream extends NodeJS.ReadableStream {
  receivedEncodedLength?: number
}

/** Holds a body back until all of it is there, and gives what `check` makes of it. */
export class CheckedBytes extends Transform {
  readonly #source: CountedStream
  readonly #check: CheckBytes
  readonly #limit: number
  #chunks: Buffer[] = []
  #length = 0

  /** `limit` is in bytes. */
  constructor(source: CountedStream, check: CheckBytes, limit: number) {
    super()
    this.#source = source
    this.#check = check
    this.#limit = limit
    // Fastify stops listening once it has answered, and a connection that ends after that must not end the process.
    this.on('error', () => undefined)
    source.once('error', (error) => this.destroy(error))
    source.pipe(this)
  }

  get receivedEncodedLength(): number {
    return this.#source.receivedEncodedLength ?? this.#length
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#length += chunk.length
    if (this.#length <= this.#limit) {
      this.#chunks.push(chunk)
      done()
      return
    }
    // Fastify refuses a body as soon as it counts more than its limit: what is too long need not be kept.
    this.#chunks = []
    done(null, chunk)
  }

  override _flush(done: TransformCallback): void {
    if (this.#length > this.#limit) done()
    else void this.#finish(done)
  }

  async #finish(done: TransformCallback): Promise<void> {
    let bytes: Buffer
    try {
      bytes = await this.#check(Buffer.concat(this.#chunks, this.#length))
    } catch (error) {
      done(error instanceof Error ? error : new Error('the body cannot be read', { cause: error }))
      return
    }
    done(null, bytes)
  }
}
