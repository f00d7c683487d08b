import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, type ZlibOptions } from 'node:zlib'
import { InvalidEncoding, PayloadTooLarge, UnsupportedMediaType } from '../errors.ts'

type Inflate = (compressed: Buffer, options: ZlibOptions) => Promise<Buffer>

const inflaters: Readonly<Record<string, Inflate>> = {
  gzip: promisify<Buffer, ZlibOptions, Buffer>(gunzip),
  deflate: promisify<Buffer, ZlibOptions, Buffer>(inflate),
  br: promisify<Buffer, ZlibOptions, Buffer>(brotliDecompress)
}

/**
 * What `compressed` was before it was compressed. `encoding` is the Content-Encoding header: `gzip`, `deflate` or `br`.
 * Never holds more than `limit` bytes.
 * @throws {UnsupportedMediaType} another encoding, or several
 * @throws {PayloadTooLarge} more than `limit` bytes
 * @throws {InvalidEncoding} the data is damaged
 */
export async function inflateBody(compressed: Buffer, encoding: string, limit: number): Promise<Buffer> {
  const name = encoding.trim().toLowerCase()
  const inflateBytes = Object.hasOwn(inflaters, name) ? inflaters[name] : undefined
  if (inflateBytes === undefined) {
    throw new UnsupportedMediaType('The content encoding is not supported', 'encoding.unsupported')
  }
  try {
    return await inflateBytes(compressed, { maxOutputLength: limit })
  } catch (cause) {
    if (isTooLarge(cause)) throw new PayloadTooLarge(`A body may have at most ${limit} bytes`, 'entity.too.large')
    throw new InvalidEncoding(name, cause)
  }
}

function isTooLarge(cause: unknown): boolean {
  return cause instanceof RangeError && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE'
}
