import type { OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { NotCompared } from '../routes/route-evidence.ts'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'

const decoders = {
  br: promisify(brotliDecompress),
  deflate: promisify(inflate),
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip)
}

const isKnown = (encoding: string): encoding is keyof typeof decoders => Object.hasOwn(decoders, encoding)

/** Memory limit for all responses that wait to be compared. */
interface ByteBudget {
  /** False if not enough is left. */
  readonly take: (bytes: number) => boolean
  readonly giveBack: (bytes: number) => void
}

/** A response as sent to a client. */
export interface Captured {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** Releases the memory that it takes. */
  readonly release: () => void
}

/** Limits of what is captured. */
export interface CaptureLimits {
  /** Maximum bytes of one body. */
  readonly limit: number
  readonly budget: ByteBudget
}

type Headers = OutgoingHttpHeaders | readonly OutgoingHttpHeader[] | undefined

/** Headers as `writeHead` takes them: an object, or names and values in one list. */
function pairsOf(headers: Headers): (readonly [string, unknown])[] {
  if (headers === undefined) return []
  if (!Array.isArray(headers)) return Object.entries(headers)
  const flat: readonly unknown[] = headers.flat()
  return flat.flatMap((name, at) => (at % 2 === 0 ? [[String(name), flat[at + 1]] as const] : []))
}

/** Headers with their names in lower case; those that are there more than once are joined. */
function joinHeaders(pairs: readonly (readonly [string, unknown])[]): Record<string, string> {
  const joined = new Map<string, string>()
  for (const [name, value] of pairs) {
    if (value === undefined) continue
    const key = name.toLowerCase()
    const text = Array.isArray(value) ? value.join(', ') : String(value)
    const before = joined.get(key)
    joined.set(key, before === undefined ? text : `${before}, ${text}`)
  }
  return Object.fromEntries(joined)
}

/** Collects the parts of a body as long as there is room. */
class Body {
  readonly #limits: CaptureLimits
  #parts: Buffer[] = []
  #bytes = 0
  full: NotCompared | undefined

  constructor(limits: CaptureLimits) {
    this.#limits = limits
  }

  add(chunk: unknown, encoding: unknown): void {
    if (this.full !== undefined || (typeof chunk !== 'string' && !(chunk instanceof Uint8Array))) return
    const size = typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.byteLength
    if (this.#bytes + size > this.#limits.limit) this.#stop('large')
    else if (this.#limits.budget.take(size)) {
      this.#bytes += size
      this.#parts.push(bytesOf(chunk, encoding))
    } else this.#stop('busy')
  }

  #stop(reason: NotCompared): void {
    this.full = reason
    this.release()
  }

  whole(): Buffer {
    return Buffer.concat(this.#parts)
  }

  readonly release = (): void => {
    this.#limits.budget.giveBack(this.#bytes)
    this.#bytes = 0
    this.#parts = []
  }
}

/** Bytes that stay as they are when the sender uses its buffer again. */
function bytesOf(chunk: string | Uint8Array, encoding: unknown): Buffer {
  if (typeof chunk !== 'string') return Buffer.from(chunk)
  return Buffer.from(chunk, typeof encoding === 'string' && Buffer.isEncoding(encoding) ? encoding : 'utf8')
}

type Method = (...args: readonly unknown[]) => unknown

/** A function of an answer as it is now. */
const boundTo = (res: ServerResponse, name: 'writeHead' | 'write' | 'end'): Method =>
  (Reflect.get(res, name) as Method).bind(res) // called as Node documents it

/**
 * Captures a response while it is sent, and calls back once it is complete: with the response, or with the reason why it
 * cannot be compared. The response itself is neither changed nor delayed.
 */
export function captureAnswer(
  res: ServerResponse,
  limits: CaptureLimits,
  onEnd: (answer: Captured | NotCompared) => void
): void {
  const body = new Body(limits)
  let written: Headers
  const [writeHead, write, end] = [boundTo(res, 'writeHead'), boundTo(res, 'write'), boundTo(res, 'end')]
  Object.assign(res, {
    writeHead: (status: number, ...rest: readonly unknown[]) => {
      written = (typeof rest[0] === 'string' ? rest[1] : rest[0]) as Headers // as documented
      return writeHead(status, ...rest)
    },
    write: (...args: readonly unknown[]) => {
      body.add(args[0], args[1])
      return write(...args)
    },
    end: (...args: readonly unknown[]) => {
      body.add(args[0], args[1])
      return end(...args)
    }
  })
  res.once('close', () => {
    if (body.full === undefined && res.writableFinished)
      onEnd({
        status: res.statusCode,
        headers: { ...joinHeaders(Object.entries(res.getHeaders())), ...joinHeaders(pairsOf(written)) },
        body: body.whole(),
        release: body.release
      })
    else {
      body.release()
      onEnd(body.full ?? 'aborted')
    }
  })
}

/** @param total bytes */
export function makeByteBudget(total: number): ByteBudget {
  let left = total
  return {
    take: (bytes) => {
      if (bytes > left) return false
      left -= bytes
      return true
    },
    giveBack: (bytes) => {
      left += bytes
    }
  }
}

/** The text of a body; undefined if it is longer than `limit` bytes, or has an unknown encoding. */
export async function decodeBody(
  body: Buffer,
  encoding: string | undefined,
  limit: number
): Promise<string | undefined> {
  const name = encoding?.trim().toLowerCase() ?? 'identity'
  if (name === 'identity' || name === '' || body.length === 0) return body.toString()
  if (!isKnown(name)) return undefined
  try {
    const decoded = await decoders[name](body, { maxOutputLength: limit })
    return decoded.toString()
  } catch {
    // Too long, or not as its header declares.
    return undefined
  }
}

/** Reads a stream to its end; undefined if it is longer than `limit` bytes, in which case the rest is not read. */
export async function readWithin(stream: Readable, limit: number): Promise<Buffer | undefined> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of stream) {
    const chunk = part instanceof Uint8Array ? Buffer.from(part) : Buffer.from(String(part))
    bytes += chunk.length
    // Leaving the loop destroys the stream.
    if (bytes > limit) return undefined
    parts.push(chunk)
  }
  return Buffer.concat(parts)
}
