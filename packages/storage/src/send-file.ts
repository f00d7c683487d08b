import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { create as contentDisposition } from 'content-disposition'
import mime from 'mime'
import parseRange from 'range-parser'
import { FileChanged, FileConditionFailed, RangeNotSatisfiable } from './errors.ts'
import { codeOf } from './file-errors.ts'
import { conditionOutcome, isSameFile } from './read-conditions.ts'
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

/** The media type of a name's extension: what its sender said is ignored. */
const typeOf = (name: string): string => mime.getType(name) ?? 'application/octet-stream'

function setValidators({ response }: Download, { lastModified, etag }: OpenFile): void {
  response.setHeader('last-modified', lastModified.toUTCString())
  response.setHeader('etag', etag)
}

function setHeaders({ name, response, inlineTypes }: Download): void {
  const type = typeOf(name)
  const isShown = inlineTypes === undefined ? harmless.test(type) : inlineTypes.includes(type)
  const base = name.slice(name.lastIndexOf('/') + 1)
  response.setHeader('content-type', hasCharset.test(type) ? `${type}; charset=utf-8` : type)
  response.setHeader('x-content-type-options', 'nosniff')
  response.setHeader('content-disposition', contentDisposition(base, { type: isShown ? 'inline' : 'attachment' }))
  response.setHeader('accept-ranges', 'bytes')
}

/**
 * The requested part of the file; undefined for all of it, and for several parts.
 * @throws {RangeNotSatisfiable} the file has none of these bytes
 */
function rangeOf({ request, response }: Download, file: OpenFile): ByteRange | undefined {
  const { range, 'if-range': condition } = request.headers
  const wanted = typeof condition === 'string' ? condition : undefined
  if (range === undefined || !isSameFile(wanted, file)) return undefined
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

/** Resolves when a stream has bytes or has ended. @throws what the stream fails with before that */
async function begin(stream: Readable): Promise<Readable> {
  await once(stream, 'readable')
  return stream
}

/** Answers with the file: what fails before its first bytes are there leaves the answer as it was. */
async function sendContent(download: Download, file: OpenFile): Promise<void> {
  const { request, response } = download
  const range = rangeOf(download, file)
  const content = request.method === 'HEAD' ? undefined : await begin(await file.read(range))
  setValidators(download, file)
  setHeaders(download)
  if (range !== undefined) {
    response.statusCode = 206
    response.setHeader('content-range', `bytes ${range.start}-${range.end}/${file.size}`)
  }
  response.setHeader('content-length', range === undefined ? file.size : range.end - range.start + 1)
  if (content === undefined) response.end()
  else await pipeline(content, response)
}

async function send(download: Download): Promise<void> {
  const { store, container, name, request, response } = download
  const file = await store.openFile(container, name)
  try {
    const outcome = conditionOutcome(request.headers, file)
    if (outcome === 'failed')
      throw new FileConditionFailed('the file has changed: a condition of the request does not hold')
    if (outcome === 'send') await sendContent(download, file)
    else {
      setValidators(download, file)
      response.statusCode = 304
      response.end()
    }
  } catch (error) {
    if (!hasLeft(error, response)) throw error
  } finally {
    await file.close()
  }
}

/**
 * Answers a request with a file, or the requested part.
 * @throws {FileNotFound} there is none
 * @throws {FileConditionFailed} a condition of the request, such as `If-Match`, is not met
 * @throws {RangeNotSatisfiable} the request names bytes that the file does not have
 * @throws {FileChanged} the file was replaced again and again while it was about to be read
 * @see LoopBack 3: loopback-component-storage, lib/storage-handler.js, download; RFC 9110 sections 13 and 14
 */
export async function sendFile(download: Download): Promise<void> {
  try {
    await send(download)
  } catch (error) {
    if (!(error instanceof FileChanged)) throw error
    await send(download)
  }
}
