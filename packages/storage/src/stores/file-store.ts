import { randomUUID } from 'node:crypto'
import { constants, type Dirent, type Stats } from 'node:fs'
import { lstat, mkdir, open, readdir, rename, rm, rmdir, stat, unlink, realpath, link } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { InvalidOption } from '@modelwire/server'
import { checkName, isName, pendingPrefix } from './check-name.ts'
import {
  ContainerNotEmpty,
  FileNotFound,
  ContainerExists,
  FileNameInvalid,
  StorageFailed,
  StorageFull
} from '../errors.ts'
import type {
  CommittedFile,
  ContainerInfo,
  FileInfo,
  FilePage,
  FileToWrite,
  OpenFile,
  PendingFile,
  Store
} from './store.ts'
import { ApiError } from '@modelwire/core'

type MakeError = (name: string, cause: unknown) => ApiError

const makers: ReadonlyMap<unknown, MakeError> = new Map<unknown, MakeError>([
  ['ENOENT', (name, cause) => new FileNotFound(`File not found: ${name}`, { cause })],
  ['ENOTDIR', (name, cause) => new FileNotFound(`File not found: ${name}`, { cause })],
  ['ELOOP', (name, cause) => new FileNotFound(`File not found: ${name}`, { cause })],
  ['EISDIR', (name, cause) => new FileNotFound(`File not found: ${name}`, { cause })],
  ['EEXIST', (name, cause) => new ContainerExists(`The container "${name}" already exists`, { cause })],
  ['ENOTEMPTY', (name, cause) => new ContainerNotEmpty(`The container "${name}" is not empty`, { cause })],
  ['ENAMETOOLONG', (_name, cause) => new FileNameInvalid('Invalid name: it is too long', { cause })],
  ['ENOSPC', (_name, cause) => new StorageFull('The disk is full', { cause })],
  ['EDQUOT', (_name, cause) => new StorageFull('The disk quota is exceeded', { cause })]
])

/** The previous entry of a path that is being replaced. */
interface MovedAside {
  /** Restores it; if there was none, removes the new one. */
  readonly restore: () => Promise<void>
  readonly forget: () => Promise<void>
}

/** Pieces of work at once: more than the threads of Node's file system are waited for in its queue. */
const atOnce = 16

/** True for the folder itself and what is below it. */
const isWithin = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

/** Finds where the containers of one root really are. */
class FolderPaths {
  readonly #root: string

  constructor(root: string) {
    this.#root = root
  }

  /** The root without symbolic links. */
  root(): Promise<string> {
    return onDisk('root', () => realpath(this.#root))
  }

  /**
   * The folder of a container without symbolic links. Errors name `wanted`.
   * @throws {FileNameInvalid} the name may lead elsewhere
   * @throws {FileNotFound} there is none, or a link leads out of the root
   */
  async container(name: string, wanted: string = name): Promise<string> {
    checkName(name)
    return this.#resolve(wanted, (root) => join(root, name))
  }

  /**
   * The path of a file that exists, without symbolic links.
   * @throws {FileNameInvalid} the name may lead elsewhere
   * @throws {FileNotFound} there is none, or a link leads out of the root
   */
  async file(container: string, name: string): Promise<string> {
    checkName(name)
    const folder = await this.container(container, name)
    return this.#resolve(name, () => join(folder, name))
  }

  async #resolve(name: string, pathIn: (root: string) => string): Promise<string> {
    const root = await this.root()
    const path = await onDisk(name, () => realpath(pathIn(root)))
    if (path !== root && isWithin(root, path)) return path
    throw new FileNotFound(`File not found: ${name}`)
  }
}

const factsOf = ({ size, atime, mtime, ctime }: Stats): Pick<Stats, 'size' | 'atime' | 'mtime' | 'ctime'> => ({
  size,
  atime,
  mtime,
  ctime
})

// Paths have no links: one that replaced a file since is not followed. A pipe is not waited for. Windows knows neither.
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
const readOnly = O_RDONLY | O_NOFOLLOW | O_NONBLOCK // undefined counts as 0

/** Weak: the time may be too coarse for two changes in a row. @see RFC 9110 section 8.8.1 */
const etagOf = ({ size, mtimeMs }: Stats): string => `W/"${size.toString(16)}-${mtimeMs.toString(16)}"`

/** Entries of a folder whose facts are read before it is known whether a page needs more. */
const batchSize = 256

const comesAfter = (name: string, other: string): boolean => name > other
const byName = (one: Dirent, other: Dirent): number => (comesAfter(one.name, other.name) ? 1 : -1)

const isGone = (error: unknown): boolean => codeOf(error) === 'ENOENT'

/**
 * Folders below one root are containers, and the files in them files.
 * @see LoopBack 3: loopback-component-storage, lib/providers/filesystem/index.js
 */
export class FileStore implements Store {
  readonly returnsProviderResponse = false
  readonly #root: string
  readonly #paths: FolderPaths

  /** `root` is an absolute path. */
  constructor(root: string) {
    this.#root = root
    this.#paths = new FolderPaths(root)
  }

  /** @throws {InvalidOption} the root is not a folder */
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
    const root = await this.#paths.root()
    const entries = await onDisk('root', () => readdir(root, { withFileTypes: true }))
    const found = await mapLimited(entries, async (entry) => {
      const { name } = entry
      const facts = await this.#look(entry, root, () => this.#paths.container(name))
      return facts?.isDirectory() === true ? { name, ...factsOf(facts) } : undefined
    })
    return found.filter((info) => info !== undefined)
  }

  /**
   * The facts of an entry of `folder`; undefined if its name is not allowed, it is a link that leads elsewhere, or it no
   * longer exists.
   */
  async #look(entry: Dirent, folder: string, resolveLink: () => Promise<string>): Promise<Stats | undefined> {
    if (!isName(entry.name)) return undefined
    try {
      // What is not a link leads nowhere else.
      const path = entry.isSymbolicLink() ? await resolveLink() : join(folder, entry.name)
      return await lstat(path)
    } catch (error) {
      if (isGone(error)) return undefined
      throw fileError(error, entry.name)
    }
  }

  async findContainer(name: string): Promise<ContainerInfo> {
    const path = await this.#paths.container(name)
    const facts = await onDisk(name, () => stat(path))
    return { name, ...factsOf(facts) }
  }

  async checkContainer(name: string): Promise<void> {
    await this.#paths.container(name)
  }

  async createContainer(name: string): Promise<ContainerInfo> {
    checkName(name)
    await onDisk(name, () => mkdir(join(this.#root, name)))
    return this.findContainer(name)
  }

  async destroyContainer(name: string): Promise<void> {
    const path = await this.#paths.container(name)
    await onDisk(name, async () => {
      const entries = await readdir(path, { withFileTypes: true })
      if (entries.some((entry) => entry.isDirectory()))
        throw new ContainerNotEmpty(`The container "${name}" contains folders`)
      await Promise.all(entries.map((entry) => rm(join(path, entry.name), { force: true })))
      await rmdir(path)
    })
  }

  /** LB3: a container that does not exist has no files. */
  async listFiles(container: string, { after, limit = Infinity }: FilePage = {}): Promise<FileInfo[]> {
    const { folder, entries } = await this.#entriesOf(container)
    const names = entries.filter(({ name }) => after === undefined || comesAfter(name, after)).toSorted(byName)
    const files: FileInfo[] = []
    for (let at = 0; at < names.length && files.length < limit; at += batchSize) {
      const found = await mapLimited(names.slice(at, at + batchSize), async (entry) => {
        const { name } = entry
        const facts = await this.#look(entry, folder, () => this.#paths.file(container, name))
        return facts?.isFile() === true ? { container, name, ...factsOf(facts) } : undefined
      })
      files.push(...found.filter((info) => info !== undefined))
    }
    return files.slice(0, limit)
  }

  async #entriesOf(container: string): Promise<{ readonly folder: string; readonly entries: readonly Dirent[] }> {
    try {
      const folder = await this.#paths.container(container)
      return { folder, entries: await onDisk(container, () => readdir(folder, { withFileTypes: true })) }
    } catch (error) {
      if (isGone(error)) return { folder: '', entries: [] }
      throw error
    }
  }

  async findFile(container: string, name: string): Promise<FileInfo> {
    const path = await this.#paths.file(container, name)
    const facts = await onDisk(name, () => stat(path))
    return { container, name, ...factsOf(facts) }
  }

  /** Removes a link itself, not its target. */
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
        etag: etagOf(facts),
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
    const commitRevertibly = async (): Promise<CommittedFile> => {
      const before = await onDisk(name, () => moveAside(target, join(folder, pendingPrefix + randomUUID())))
      try {
        return { info: await commit(), revert: before.restore, settle: before.forget }
      } catch (error) {
        await before.restore()
        throw error
      }
    }
    return { size, commit, commitRevertibly, discard }
  }
}

/** The results of `work` for each item, in their order; not more than a few are worked on at once. */
async function mapLimited<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>
): Promise<Result[]> {
  const results: Result[] = []
  const queue = items.entries()
  const run = async (): Promise<void> => {
    for (const [at, item] of queue) results[at] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, run))
  return results
}

/**
 * Keeps the file at `path`, if there is one, under the name `aside`, so that it can be restored. It stays in its place meanwhile where
 * the file system has links.
 */
async function moveAside(path: string, aside: string): Promise<MovedAside> {
  const forget = async (): Promise<void> => rm(aside, { force: true })
  const isThere = await isFileAt(path)
  if (!isThere) return { restore: async () => rm(path, { force: true }), forget }
  await keep(path, aside)
  const restore = async (): Promise<void> => {
    await rename(aside, path)
    // A link is not renamed to a path of the same file: it stays.
    await forget()
  }
  return { restore, forget }
}

async function isFileAt(path: string): Promise<boolean> {
  try {
    if (!(await lstat(path)).isDirectory()) return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
  throw Object.assign(new Error('a folder with this name exists'), { code: 'EISDIR' })
}

async function keep(path: string, aside: string): Promise<void> {
  try {
    await link(path, aside)
  } catch {
    // Not every file system has links; what else is wrong fails here as well.
    await rename(path, aside)
  }
}

/** The code of an error of Node's file system. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

/** Translates an error of the file system for callers that passed `name`: paths of the machine are only in its `cause`. */
export function fileError(error: unknown, name: string): unknown {
  if (error instanceof ApiError || !(error instanceof Error) || error.name === 'AbortError') return error
  const make = makers.get(codeOf(error))
  return make?.(name, error) ?? new StorageFailed('The file system refused the operation', { cause: error })
}

/** Carries out work on the file system, with errors that name `name`. */
async function onDisk<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw fileError(error, name)
  }
}
