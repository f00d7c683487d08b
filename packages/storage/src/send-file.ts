import { once } from 'node:events'
import type { IncomingMessage, ServerResponse, IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { create as contentDisposition } from 'content-disposition'
import mime from 'mime'
import parseRange from 'range-parser'
import { FileChanged, FileConditionFailed, RangeNotSatisfiable } from './errors.ts'
import { codeOf } from './stores/file-store.ts'
import type { ByteRange, OpenFile, Store } from './stores/store.ts'

/** The outcome of a request's conditions: the file is sent, the client already has it, or it is not the expected one. */
type ConditionOutcome = 'send' | 'not modified' | 'failed'

type Validators = Pick<OpenFile, 'etag' | 'lastModified'>

const isWeak = (etag: string): boolean => etag.startsWith('W/')

const opaque = (etag: string): string => etag.replace(/^W\//, '')

/** The entity tags of a header: quoted, so that commas within them are theirs. */
const tagsOf = (header: string): readonly string[] => header.match(/(?:W\/)?"[^"]*"/g) ?? []

/** @see RFC 9110 section 8.8.3.2: by strong comparison no weak tag fits */
const matches = (header: string, { etag }: Validators, isStrong: boolean): boolean =>
  header.trim() === '*' ||
  tagsOf(header).some((tag) => opaque(tag) === opaque(etag) && !(isStrong && (isWeak(tag) || isWeak(etag))))

/** HTTP's times have whole seconds. NaN for what is not a time: the header is ignored then. */
const secondsOf = (date: Date | string): number => Math.floor(new Date(date).getTime() / 1000)

const isNewer = ({ lastModified }: Validators, than: string): boolean => secondsOf(lastModified) > secondsOf(than)

const isNotNewer = ({ lastModified }: Validators, than: string): boolean => secondsOf(lastModified) <= secondsOf(than)

/** One download. */
export interface Download {
  readonly store: Store
  readonly container: string
  readonly name: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Media types that browsers may display. */
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
      throw new FileConditionFailed('the file has changed: a condition of the request is not met')
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
 * Responds to a request with a file, or the requested part.
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

function precondition(headers: IncomingHttpHeaders, file: Validators): boolean {
  const { 'if-match': match, 'if-unmodified-since': unmodified } = headers
  if (match !== undefined) return matches(match, file, true)
  return unmodified === undefined || !isNewer(file, unmodified)
}

function isNotModified(headers: IncomingHttpHeaders, file: Validators): boolean {
  const { 'if-none-match': none, 'if-modified-since': modified } = headers
  if (none !== undefined) return matches(none, file, false)
  return modified !== undefined && isNotNewer(file, modified)
}

/** @see RFC 9110 section 13.2.2 */
function conditionOutcome(headers: IncomingHttpHeaders, file: Validators): ConditionOutcome {
  if (!precondition(headers, file)) return 'failed'
  return isNotModified(headers, file) ? 'not modified' : 'send'
}

/** False where the part that a client has is of another file than the one that is there. @see RFC 9110 section 13.1.5, If-Range */
function isSameFile(condition: string | undefined, file: Validators): boolean {
  if (condition === undefined || condition === file.lastModified.toUTCString()) return true
  return /^\s*(?:W\/)?"/.test(condition) && matches(condition, file, true)
}
