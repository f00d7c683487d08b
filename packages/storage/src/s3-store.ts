import { Readable } from 'node:stream'
import type { BucketItem, Client } from 'minio'
import { checkKey } from './check-name.ts'
import { codeOf } from './file-errors.ts'
import { onStore } from './s3-errors.ts'
import { S3Upload } from './s3-upload.ts'
import type { ContainerInfo, FileHeaders, FileInfo, FileToWrite, OpenFile, PendingFile, Store } from './store.ts'

/** Headers of S3 by the names that LoopBack's settings have for them. */
const headerNames: Readonly<Record<string, string>> = {
  StorageClass: 'x-amz-storage-class',
  CacheControl: 'cache-control',
  ServerSideEncryption: 'x-amz-server-side-encryption',
  SSEKMSKeyId: 'x-amz-server-side-encryption-aws-kms-key-id'
}

/** Names of the settings that become headers of S3. */
export const amazonOptions: readonly string[] = Object.keys(headerNames)

function headersOf({ contentType, acl, amazon = {} }: FileHeaders): Record<string, string> {
  const own = Object.entries(amazon).map(([name, value]) => [headerNames[name] ?? name, value] as const)
  return {
    ...(contentType !== undefined && { 'content-type': contentType }),
    ...(acl !== undefined && { 'x-amz-acl': acl }),
    ...Object.fromEntries(own)
  }
}

/**
 * Buckets of a store that speaks S3 are containers, and its objects files.
 * @see LoopBack 3: pkgcloud, amazon/storage
 */
export class S3Store implements Store {
  readonly tellsOfUploads = true
  readonly #client: Client
  readonly #region: string

  constructor(client: Client, region: string) {
    this.#client = client
    this.#region = region
  }

  /** Whoever may use one bucket need not have the right to list them: the start asks for nothing, as in LoopBack. */
  async connect(): Promise<void> {}

  async ping(): Promise<void> {
    await onStore('root', async () => {
      try {
        await this.#client.listBuckets()
      } catch (error) {
        if (codeOf(error) !== 'AccessDenied') throw error
      }
    })
  }

  async listContainers(): Promise<ContainerInfo[]> {
    const buckets = await onStore('root', () => this.#client.listBuckets())
    return buckets.map(({ name, creationDate }) => ({ name, creationDate }))
  }

  async findContainer(name: string): Promise<ContainerInfo> {
    checkKey(name)
    const exists = await onStore(name, () => this.#client.bucketExists(name))
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
    await onStore(name, () => this.#client.makeBucket(name, this.#region))
    return { name }
  }

  async destroyContainer(name: string): Promise<void> {
    const files = await this.listFiles(name)
    await onStore(name, async () => {
      if (files.length > 0)
        await this.#client.removeObjects(
          name,
          files.map((file) => file.name)
        )
      await this.#client.removeBucket(name)
    })
  }

  async listFiles(container: string): Promise<FileInfo[]> {
    checkKey(container)
    return onStore(container, async () => {
      const files: FileInfo[] = []
      for await (const found of this.#client.listObjectsV2(container, '', true)) {
        const { name, size, etag, lastModified } = found as BucketItem // the stream holds nothing else
        if (name !== undefined) files.push({ container, name, etag, lastModified, size })
      }
      return files
    })
  }

  async findFile(container: string, name: string): Promise<FileInfo> {
    checkKey(container)
    checkKey(name)
    return onStore(name, async () => {
      const { etag, lastModified, size } = await this.#client.statObject(container, name)
      return { container, name, etag, lastModified, size }
    })
  }

  /** A store tells nobody that there was nothing to remove. */
  async removeFile(container: string, name: string): Promise<void> {
    await this.findFile(container, name)
    await onStore(name, () => this.#client.removeObject(container, name))
  }

  async openFile(container: string, name: string): Promise<OpenFile> {
    checkKey(container)
    checkKey(name)
    const { size, lastModified } = await onStore(name, () => this.#client.statObject(container, name))
    const read: OpenFile['read'] = (range) =>
      onStore(name, async () => {
        if (size === 0) return Readable.from([])
        const { start, end } = range ?? { start: 0, end: size - 1 }
        return this.#client.getPartialObject(container, name, start, end - start + 1)
      })
    return { size, lastModified, read, close: async () => {} }
  }

  async writeFile({ container, name, content, headers, signal }: FileToWrite): Promise<PendingFile> {
    checkKey(name)
    checkKey(container)
    const object = { client: this.#client, bucket: container, key: name, headers: headersOf(headers) }
    const upload = new S3Upload(object)
    await onStore(name, () => upload.write(content, signal))
    const commit = async (): Promise<FileInfo> => {
      const etag = await onStore(name, () => upload.complete())
      return { container, name, etag, size: upload.size }
    }
    return { size: upload.size, commit, discard: () => onStore(name, () => upload.discard()) }
  }
}
