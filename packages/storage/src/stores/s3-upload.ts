import type { Readable } from 'node:stream'
import type { Client } from 'minio'

/** One object, and its headers. */
export interface S3Object {
  readonly client: Client
  readonly bucket: string
  readonly key: string
  readonly headers: Readonly<Record<string, string>>
}

/** The bytes that are held at once: the store takes no smaller part but the last. */
const partSize = 8 * 1024 * 1024

/** The bytes of a stream in parts of `partSize`, the last one smaller. */
async function* inParts(content: Readable): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = []
  let length = 0
  for await (const chunk of content) {
    const bytes = chunk as Buffer // streams of forms and of scripts give bytes
    chunks.push(bytes)
    length += bytes.length
    if (length < partSize) continue
    yield Buffer.concat(chunks, length)
    chunks = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(chunks, length)
}

/**
 * A multipart upload: nothing of it is visible until it is completed. Each has its own id, so that two with the same key do
 * not mix.
 */
export class S3Upload {
  readonly #object: S3Object
  readonly #parts: { part: number; etag: string }[] = []
  #id: string | undefined
  size = 0

  constructor(object: S3Object) {
    this.#object = object
  }

  /** Stores the bytes, removing them again if that fails. */
  async write(content: Readable, signal: AbortSignal | undefined): Promise<void> {
    const abort = (): void => void content.destroy(asError(signal?.reason))
    signal?.addEventListener('abort', abort, { once: true })
    try {
      signal?.throwIfAborted()
      for await (const bytes of inParts(content)) await this.#writePart(bytes)
    } catch (error) {
      await this.discard()
      throw error
    } finally {
      signal?.removeEventListener('abort', abort)
    }
  }

  async #writePart(bytes: Buffer): Promise<void> {
    const { client, bucket, key, headers } = this.#object
    this.#id ??= await client.initiateNewMultipartUpload(bucket, key, { ...headers })
    const partNumber = this.#parts.length + 1
    const place = { bucketName: bucket, objectName: key, uploadID: this.#id, partNumber }
    const { etag } = await client.uploadPart({ ...place, headers: { 'Content-Length': bytes.length } }, bytes)
    this.#parts.push({ part: partNumber, etag })
    this.size += bytes.length
  }

  /** Makes the object visible and returns its etag. An object without bytes has no parts. */
  async complete(): Promise<string> {
    const { client, bucket, key, headers } = this.#object
    if (this.#id === undefined) return (await client.putObject(bucket, key, Buffer.alloc(0), 0, { ...headers })).etag
    return (await client.completeMultipartUpload(bucket, key, this.#id, this.#parts)).etag
  }

  /**
   * Aborts the upload. If the store cannot, its parts remain there, invisible, until a lifecycle rule of the bucket removes
   * them.
   */
  async discard(): Promise<void> {
    const { client, bucket, key } = this.#object
    const id = this.#id
    this.#id = undefined
    if (id === undefined) return
    try {
      await client.abortMultipartUpload(bucket, key, id)
    } catch (error) {
      process.emitWarning(`parts of ${bucket}/${key} remain in the store: ${String(error)}`, 'StorageWarning')
    }
  }
}

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error('the upload was aborted'))
