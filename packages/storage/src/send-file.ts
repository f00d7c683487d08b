import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { create as contentDisposition } from 'content-disposition'
import mime from 'mime'
import parseRange from 'range-parser'
import { RangeNotSatisfiable } from './errors.ts'
import { codeOf } from './file-errors.ts'
import type { ByteRange, OpenFile, Store } from './store.ts'

/** One download. */
export interface Download {
  readonly store: Store
  readonly container: string
  readonly name: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Media types that browsers may show. */
  readonly inlineTypes?: readonly string[] | undefined
}

/** What browsers show without running anything of it. */
const harmless = /^(?:image\/(?!svg)|audio\/|video\/|text\/plain$|application\/pdf$)/

const hasCharset = /^text\/|^application\/(?:json|javascript|xml)$/

/** The media type of a name's extension: what a sender said of the file counts for nothing. */
const typeOf = (name: string): string => mime.getType(name) ?? 'application/octet-stream'

function setHeaders({ name, response, inlineTypes }: Download, { lastModified }: OpenFile): void {
  const type = typeOf(name)
  const isShown = inlineTypes === undefined ? harmless.test(type) : inlineTypes.includes(type)
  const base = name.slice(name.lastIndexOf('/') + 1)
  response.setHeader('content-type', hasCharset.test(type) ? `${type}; charset=utf-8` : type)
  response.setHeader('x-content-type-options', 'nosniff')
  response.setHeader('content-disposition', contentDisposition(base, { type: isShown ? 'inline' : 'attachment' }))
  response.setHeader('accept-ranges', 'bytes')
  response.setHeader('last-modified', lastModified.toUTCString())
}

/** False where the part is of an older file than the one that is there. @see RFC 9110 section 13.1.5, If-Range */
const isSame = (condition: string | undefined, { lastModified }: OpenFile): boolean =>
  condition === undefined || condition === lastModified.toUTCString()

/**
 * The part of the file that the request asks for; undefined for all of it, as for several parts.
 * @throws {RangeNotSatisfiable} the file has none of these bytes
 */
function rangeOf({ request, response }: Download, file: OpenFile): ByteRange | undefined {
  const { range, 'if-range': condition } = request.headers
  const wanted = typeof condition === 'string' ? condition : undefined
  if (range === undefined || !isSame(wanted, file)) return undefined
  const ranges = parseRange(file.size, range, { combine: true })
  if (ranges === -1 && /^\s*bytes\s*=/i.test(range)) {
    response.setHeader('content-range', `bytes */${file.size}`)
    throw new RangeNotSatisfiable(`the file has ${file.size} bytes`)
  }
  const [first, ...others] = typeof ranges === 'number' || ranges.type !== 'bytes' ? [] : ranges
  return others.length === 0 ? first : undefined
}

/** The client left: nothing is wrong here. */
const hasLeft = (error: unknown, { destroyed }: ServerResponse): boolean =>
  destroyed && (codeOf(error) === 'ERR_STREAM_PREMATURE_CLOSE' || codeOf(error) === 'ECONNRESET')

/**
 * Answers a request with a file, or the part that it asks for.
 * @throws {FileNotFound} there is none
 * @throws {RangeNotSatisfiable} the request asks for bytes that the file does not have
 * @see LoopBack 3: loopback-component-storage, lib/storage-handler.js, download; RFC 9110 section 14
 */
export async function sendFile(download: Download): Promise<void> {
  const { store, container, name, request, response } = download
  const file = await store.openFile(container, name)
  try {
    const range = rangeOf(download, file)
    setHeaders(download, file)
    if (range !== undefined) {
      response.statusCode = 206
      response.setHeader('content-range', `bytes ${range.start}-${range.end}/${file.size}`)
    }
    response.setHeader('content-length', range === undefined ? file.size : range.end - range.start + 1)
    if (request.method === 'HEAD') response.end()
    else await pipeline(await file.read(range), response)
  } catch (error) {
    if (!hasLeft(error, response)) throw error
  } finally {
    await file.close()
  }
}
