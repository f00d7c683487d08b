import type { OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { NotCompared } from '../evidence/route-evidence.ts'
import type { ByteBudget } from './byte-budget.ts'

/** An answer as it was sent to a client. */
export interface Captured {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** Gives back the memory that it takes. */
  readonly release: () => void
}

/** How much is captured. */
export interface CaptureLimits {
  /** Bytes of one body. */
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
 * Listens to an answer while it is sent, and gives it when it has been: or the reason why it cannot be compared. The answer
 * itself is neither changed nor delayed.
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
