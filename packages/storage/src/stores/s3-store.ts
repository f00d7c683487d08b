import { Readable } from 'node:stream'
import type { BucketItem, Client } from 'minio'
import { checkKey } from './check-name.ts'
import {
  FileNotFound,
  ContainerExists,
  ContainerNotEmpty,
  FileChanged,
  FileNameInvalid,
  StorageFailed
} from '../errors.ts'
import { codeOf } from './file-store.ts'
import { S3Upload } from './s3-upload.ts'
import type {
  CommittedFile,
  ContainerInfo,
  FileHeaders,
  FileInfo,
  FilePage,
  FileToWrite,
  OpenFile,
  PendingFile,
  Store
} from './store.ts'
import { ApiError, DataSourceUnavailable } from '@modelwire/core'
import { storeHeaders } from './header-settings.ts'

const missing: ReadonlySet<unknown> = new Set(['NoSuchBucket', 'NoSuchKey', 'NotFound', 'NoSuchUpload'])

const existing: ReadonlySet<unknown> = new Set(['BucketAlreadyExists', 'BucketAlreadyOwnedByYou'])

const unreachable: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'SlowDown',
  'ServiceUnavailable'
])

const refusedNames: ReadonlySet<unknown> = new Set(['InvalidBucketNameError', 'InvalidObjectNameError'])

const constructorOf = (error: Error): string => error.constructor.name

function headersOf(headers: FileHeaders): Record<string, string> {
  const { contentType, acl } = headers
  return {
    ...(contentType !== undefined && { 'content-type': contentType }),
    ...(acl !== undefined && { 'x-amz-acl': acl }),
    ...storeHeaders(headers)
  }
}

/**
 * Buckets of an S3-compatible store are containers, and their objects files.
 * @see LoopBack 3: pkgcloud, amazon/storage
 */
export class S3Store implements Store {
  readonly returnsProviderResponse = true
  readonly #makeClient: () => Promise<Client>
  readonly #region: string
  #made: Promise<Client> | undefined

  /** `makeClient` is called once, when the store connects or is first used. */
  constructor(makeClient: () => Promise<Client>, region: string) {
    this.#makeClient = makeClient
    this.#region = region
  }

  get #client(): Promise<Client> {
    this.#made ??= this.#makeClient()
    return this.#made
  }

  /**
   * Does nothing: access to one bucket does not include listing buckets, so startup does not contact the store, as in
   * LoopBack.
   */
  async connect(): Promise<void> {
    await this.#client
  }

  async ping(): Promise<void> {
    await onStore('root', async () => {
      try {
        await (await this.#client).listBuckets()
      } catch (error) {
        if (codeOf(error) !== 'AccessDenied') throw error
      }
    })
  }

  async listContainers(): Promise<ContainerInfo[]> {
    const buckets = await onStore('root', async () => (await this.#client).listBuckets())
    return buckets.map(({ name, creationDate }) => ({ name, creationDate }))
  }

  async findContainer(name: string): Promise<ContainerInfo> {
    checkKey(name)
    const exists = await onStore(name, async () => (await this.#client).bucketExists(name))
    return onStore(name, async () => {
      if (!exists) throw Object.assign(new Error('no such bucket'), { code: 'NoSuchBucket' })
      return { name }
    })
  }

  async checkContainer(name: string): Promise<void> {
    await this.findContainer(name)
  }

  async createContainer(name: string): Promise<ContainerInfo> {
    checkKey(name)
    await onStore(name, async () => (await this.#client).makeBucket(name, this.#region))
    return { name }
  }

  async destroyContainer(name: string): Promise<void> {
    const files = await this.listFiles(name)
    await onStore(name, async () => {
      if (files.length > 0)
        await (
          await this.#client
        ).removeObjects(
          name,
          files.map((file) => file.name)
        )
      await (await this.#client).removeBucket(name)
    })
  }

  async listFiles(container: string, { after = '', limit = Infinity }: FilePage = {}): Promise<FileInfo[]> {
    checkKey(container)
    return onStore(container, async () => {
      const files: FileInfo[] = []
      if (limit <= 0) return files
      for await (const found of (await this.#client).listObjectsV2(container, '', true, after)) {
        const { name, size, etag, lastModified } = found as BucketItem // the stream holds nothing else
        if (name !== undefined) files.push({ container, name, etag, lastModified, size })
        // Leaving the loop ends the stream: no further page is requested.
        if (files.length >= limit) break
      }
      return files
    })
  }

  async findFile(container: string, name: string): Promise<FileInfo> {
    checkKey(container)
    checkKey(name)
    return onStore(name, async () => {
      const { etag, lastModified, size } = await (await this.#client).statObject(container, name)
      return { container, name, etag, lastModified, size }
    })
  }

  /** A store does not report whether there was anything to remove. */
  async removeFile(container: string, name: string): Promise<void> {
    await this.findFile(container, name)
    await onStore(name, async () => (await this.#client).removeObject(container, name))
  }

  async openFile(container: string, name: string): Promise<OpenFile> {
    checkKey(container)
    checkKey(name)
    const client = await this.#client
    const { size, lastModified, etag } = await onStore(name, () => client.statObject(container, name))
    const read: OpenFile['read'] = (range) =>
      onStore(name, async () => {
        if (size === 0) return Readable.from([])
        const { start, end } = range ?? { start: 0, end: size - 1 }
        const headers = { range: `bytes=${start}-${end}`, 'if-match': `"${etag}"` }
        const request = { method: 'GET', bucketName: container, objectName: name, headers }
        return client.makeRequestAsync(request, '', [200, 206])
      })
    return { size, lastModified, etag: `"${etag}"`, read, close: async () => {} }
  }

  async writeFile({ container, name, content, headers, signal }: FileToWrite): Promise<PendingFile> {
    checkKey(name)
    checkKey(container)
    const client = await this.#client
    const upload = new S3Upload({ client, bucket: container, key: name, headers: headersOf(headers) })
    await onStore(name, () => upload.write(content, signal))
    const commit = async (): Promise<FileInfo> => {
      const etag = await onStore(name, () => upload.complete())
      return { container, name, etag, size: upload.size }
    }
    const commitRevertibly = async (): Promise<CommittedFile> => {
      const before = await this.#existing(container, name)
      const info = await commit()
      const revert = async (): Promise<void> => {
        if (before === undefined) await this.removeFile(container, name)
        else
          process.emitWarning(`${container}/${name} was replaced by a file of an upload that failed`, 'StorageWarning')
      }
      return { info, revert, settle: async () => {} }
    }
    return { size: upload.size, commit, commitRevertibly, discard: () => onStore(name, () => upload.discard()) }
  }

  async #existing(container: string, name: string): Promise<FileInfo | undefined> {
    try {
      return await this.findFile(container, name)
    } catch (error) {
      if (error instanceof FileNotFound) return undefined
      throw error
    }
  }
}

/** Translates an error of the store in a call for `name`. */
export function s3Error(error: unknown, name: string): unknown {
  if (error instanceof ApiError || !(error instanceof Error) || error.name === 'AbortError') return error
  const code = codeOf(error)
  const options = { cause: error }
  if (missing.has(code)) return new FileNotFound(`File not found: ${name}`, options)
  if (existing.has(code)) return new ContainerExists(`The container "${name}" already exists`, options)
  if (code === 'PreconditionFailed') return new FileChanged('The file was replaced while it was read', options)
  if (code === 'BucketNotEmpty') return new ContainerNotEmpty(`The container "${name}" is not empty`, options)
  if (code === 'InvalidBucketName' || refusedNames.has(constructorOf(error)))
    return new FileNameInvalid('Invalid name: the store does not accept it', options)
  if (unreachable.has(code)) return new DataSourceUnavailable('Cannot connect to the file store', options)
  return new StorageFailed('The file store refused the request', options)
}

/** Carries out work on the store, with errors that name `name`. */
async function onStore<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw s3Error(error, name)
  }
}
