import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Awaitable } from '../promises.ts'
import { Transform, type TransformCallback } from 'node:stream'

/** Transforms received bytes. Throws the error to return if they cannot be read. */
type CheckBytes = (bytes: Buffer) => Awaitable<Buffer>

/** A stream that counts what it read before changing it; Fastify compares that with the Content-Length header. */
interface CountedStream extends NodeJS.ReadableStream {
  receivedEncodedLength?: number
}

/** Holds a body back until all of it is there, and gives what `check` makes of it. */
class CheckedBytes extends Transform {
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

/** How the forms of a scope are parsed. Errors thrown by these functions are returned. */
export interface FormParsing {
  /** Maximum bytes of a body, as received. */
  readonly limit: number
  /** The bytes of the form in UTF-8: decompresses and checks the received ones. */
  readonly read: (bytes: Buffer, request: FastifyRequest) => Awaitable<Buffer>
  /** The value of `request.body`. */
  readonly parse: (text: string) => unknown
}

const mediaType = 'application/x-www-form-urlencoded'
const formType = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i

const mayHaveForm = ({ method, headers }: FastifyRequest): boolean =>
  method !== 'GET' && method !== 'HEAD' && formType.test(headers['content-type'] ?? '')

/**
 * Makes `scope` read `application/x-www-form-urlencoded` with `@fastify/formbody`, replacing a parser of that type that
 * the scope has or inherited. Those of outer scopes stay unchanged.
 *
 * `@fastify/formbody` passes its parser a string and no request. What depends on the bytes or on headers is therefore
 * handled in a `preParsing` hook.
 */
export async function registerForms(scope: FastifyInstance, { limit, read, parse }: FormParsing): Promise<void> {
  scope.addHook('preParsing', (request, _reply, payload, done) => {
    if (!mayHaveForm(request)) done()
    else done(null, new CheckedBytes(payload, (bytes) => read(bytes, request), limit))
  })
  scope.removeContentTypeParser(mediaType)
  // The plugin assigns the result to `request.body`, whatever it is.
  const parser = parse as (text: string) => Record<string, unknown>
  await scope.register(formbody, { bodyLimit: limit, parser })
}
