import type { IncomingMessage } from 'node:http'
import { PassThrough, type Readable } from 'node:stream'

/** Bytes of request bodies that Express reads before Fastify does. */
export interface KeptBodies {
  /** Keeps what is read from a request from now on. */
  readonly keep: (request: IncomingMessage) => void
  /** A stream of what was read, when all of it was; else undefined. Whatever is read afterwards is not kept. */
  readonly replay: (request: IncomingMessage) => Readable | undefined
}

/** Makes the store of one server. What was read is kept until Fastify reads, or as long as the request. */
export function createKeptBodies(): KeptBodies {
  const bodies = new WeakMap<IncomingMessage, Buffer[]>()
  return {
    keep: (request) => {
      const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers
      if (length === '0' && encoding === undefined) return
      const chunks: Buffer[] = []
      bodies.set(request, chunks)
      // Every way of reading a stream emits its data.
      const emit = request.emit.bind(request)
      request.emit = (event: string | symbol, ...args: unknown[]): boolean => {
        const [chunk] = args
        if (event === 'data' && chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
        return emit(event, ...args)
      }
    },
    replay: (request) => {
      const chunks = bodies.get(request)
      if (chunks === undefined) return undefined
      bodies.delete(request)
      Reflect.deleteProperty(request, 'emit')
      return request.readableEnded ? streamOf(chunks, request) : undefined
    }
  }
}

function streamOf(chunks: readonly Buffer[], { headers }: IncomingMessage): Readable {
  const bytes = Buffer.concat(chunks)
  const stream = new PassThrough()
  stream.end(bytes)
  // Fastify compares it with the header.
  return Object.assign(stream, { receivedEncodedLength: Number(headers['content-length'] ?? bytes.length) })
}
