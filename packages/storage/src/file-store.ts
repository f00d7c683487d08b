import { randomUUID } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { mkdir, open, readdir, rename, rm, rmdir, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { InvalidOption } from '@modelwire/core'
import { checkName, pendingPrefix } from './check-name.ts'
import { ContainerNotEmpty } from './errors.ts'
import { codeOf, onDisk } from './file-errors.ts'
import { FolderPaths } from './folder-paths.ts'
import type { ContainerInfo, FileInfo, FileToWrite, OpenFile, PendingFile, Store } from './store.ts'

const factsOf = ({ size, atime, mtime, ctime }: Stats): Pick<Stats, 'size' | 'atime' | 'mtime' | 'ctime'> => ({
  size,
  atime,
  mtime,
  ctime
})

// Paths have no links: one that took the place of a file since is not followed. A pipe is not waited for. Windows knows neither.
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
const readOnly = O_RDONLY | O_NOFOLLOW | O_NONBLOCK // undefined counts as 0

const isGone = (error: unknown): boolean => codeOf(error) === 'ENOENT'

/**
 * Folders below one root are containers, and the files in them files.
 * @see LoopBack 3: loopback-component-storage, lib/providers/filesystem/index.js
 */
export class FileStore implements Store {
  readonly tellsOfUploads = false
  readonly #root: string
  readonly #paths: FolderPaths

  /** `root` is an absolute path. */
  constructor(root: string) {
    this.#root = root
    this.#paths = new FolderPaths(root)
  }

  /** @throws {InvalidOption} the root is no folder */
  async connect(): Promise<void> {
    try {
      if ((await stat(this.#root)).isDirectory()) return
    } catch (cause) {
      throw new InvalidOption(`the root of the storage cannot be read: ${this.#root}`, { key: 'root' }, { cause })
    }
    throw new InvalidOption(`the root of the storage is not a folder: ${this.#root}`, { key: 'root' })
  }

  ping(): Promise<void> {
    return this.connect()
  }

  async listContainers(): Promise<ContainerInfo[]> {
    const names = await onDisk('root', () => readdir(this.#root))
    return this.#existing(names, async (name) => {
      const facts = await stat(await this.#paths.container(name))
      return facts.isDirectory() ? { name, ...factsOf(facts) } : undefined
    })
  }

  /** What the entries of a folder are, without those that are none of ours, lead elsewhere, or have gone since. */
  async #existing<Info>(names: readonly string[], look: (name: string) => Promise<Info | undefined>): Promise<Info[]> {
    const found = names.map(async (name) => {
      try {
        return await look(name)
      } catch (error) {
        if (isGone(error) || codeOf(error) === 'FILE_NAME_INVALID') return undefined
        throw error
      }
    })
    return (await Promise.all(found)).filter((info) => info !== undefined)
  }

  async findContainer(name: string): Promise<ContainerInfo> {
    const path = await this.#paths.container(name)
    const facts = await onDisk(name, () => stat(path))
    return { name, ...factsOf(facts) }
  }

  async checkContainer(name: string): Promise<void> {
    await this.#paths.container(name)
  }

  async createContainer(name: string, options: Readonly<Record<string, unknown>>): Promise<ContainerInfo> {
    checkName(name)
    const { mode } = options
    await onDisk(name, () => mkdir(join(this.#root, name), typeof mode === 'number' ? { mode } : {}))
    return this.findContainer(name)
  }

  async destroyContainer(name: string): Promise<void> {
    const path = await this.#paths.container(name)
    await onDisk(name, async () => {
      const entries = await readdir(path, { withFileTypes: true })
      if (entries.some((entry) => entry.isDirectory()))
        throw new ContainerNotEmpty(`The container "${name}" holds folders`)
      await Promise.all(entries.map((entry) => rm(join(path, entry.name), { force: true })))
      await rmdir(path)
    })
  }

  /** LB3: a container that does not exist has no files. */
  async listFiles(container: string): Promise<FileInfo[]> {
    let names: string[]
    try {
      const folder = await this.#paths.container(container)
      names = await onDisk(container, () => readdir(folder))
    } catch (error) {
      if (isGone(error)) return []
      throw error
    }
    return this.#existing(names, async (name) => {
      const facts = await stat(await this.#paths.file(container, name))
      return facts.isFile() ? { container, name, ...factsOf(facts) } : undefined
    })
  }

  async findFile(container: string, name: string): Promise<FileInfo> {
    const path = await this.#paths.file(container, name)
    const facts = await onDisk(name, () => stat(path))
    return { container, name, ...factsOf(facts) }
  }

  /** A link goes, and not what it leads to. */
  async removeFile(container: string, name: string): Promise<void> {
    checkName(name)
    const folder = await this.#paths.container(container, name)
    await onDisk(name, () => unlink(join(folder, name)))
  }

  async openFile(container: string, name: string): Promise<OpenFile> {
    const path = await this.#paths.file(container, name)
    return onDisk(name, async () => {
      const handle = await open(path, readOnly)
      const facts = await handle.stat()
      if (!facts.isFile()) {
        await handle.close()
        throw Object.assign(new Error('not a file'), { code: 'EISDIR' })
      }
      return {
        size: facts.size,
        lastModified: facts.mtime,
        read: async (range) => handle.createReadStream({ ...range }),
        close: () => handle.close()
      }
    })
  }

  async writeFile({ container, name, content, signal }: FileToWrite): Promise<PendingFile> {
    checkName(name)
    const folder = await this.#paths.container(container)
    const pending = join(folder, pendingPrefix + randomUUID())
    const target = join(folder, name)
    const discard = (): Promise<void> => rm(pending, { force: true })
    const size = await onDisk(name, async () => {
      const handle = await open(pending, 'wx', 0o666)
      const stream = handle.createWriteStream()
      try {
        await pipeline(content, stream, signal === undefined ? {} : { signal })
      } catch (error) {
        await discard()
        throw error
      }
      return stream.bytesWritten
    })
    const commit = async (): Promise<FileInfo> => {
      await onDisk(name, () => rename(pending, target))
      return this.findFile(container, name)
    }
    return { size, commit, discard }
  }
}
