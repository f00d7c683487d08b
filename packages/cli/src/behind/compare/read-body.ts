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

/** The text of a body; undefined where it is longer than `limit` bytes, or encoded in an unknown way. */
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

/** Reads a stream to its end; undefined where it is longer than `limit` bytes: what is left is not read. */
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
