import type { Readable } from 'node:stream'
import type { HeaderSettings } from './header-settings.ts'

/** A container, as clients see it. */
export interface ContainerInfo {
  readonly name: string
  readonly [fact: string]: unknown
}

/** A file, as clients see it. */
export interface FileInfo {
  readonly container: string
  readonly name: string
  readonly size: number
  readonly [fact: string]: unknown
}

/** What is stored with a file besides its bytes, if the store supports it. */
export interface FileHeaders extends HeaderSettings {
  readonly contentType?: string | undefined
  /** Who may read it: a value defined by the store, such as `public-read`. */
  readonly acl?: string | undefined
}

/** A file that has replaced another one, or has a new name. One of the two functions must be called. */
export interface CommittedFile {
  readonly info: FileInfo
  /** Restores the previous file, if the store can. */
  readonly revert: () => Promise<void>
  /** Discards the previous file. */
  readonly settle: () => Promise<void>
}

/** A file whose bytes are stored, but which is not visible yet. One of the functions must be called, once. */
export interface PendingFile {
  readonly size: number
  /** Makes it visible, replacing another file of its name, and returns the store's facts about it. */
  readonly commit: () => Promise<FileInfo>
  /** Like `commit`, revertible. */
  readonly commitRevertibly: () => Promise<CommittedFile>
  readonly discard: () => Promise<void>
}

/** The first and the last byte of a part of a file. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** A file that is about to be read: its facts match the bytes that follow. `close` is called at the end. */
export interface OpenFile {
  readonly size: number
  readonly lastModified: Date
  /** Changes with the content, in HTTP syntax. */
  readonly etag: string
  /** Rejects with `ENOENT` if the file has been replaced or removed since. */
  readonly read: (range?: ByteRange) => Promise<Readable>
  readonly close: () => Promise<void>
}

/** Which files of a container to list: those whose names come after `after`, and at most `limit` of them. */
export interface FilePage {
  readonly limit?: number | undefined
  readonly after?: string | undefined
}

/** The content and target of a write. */
export interface FileToWrite {
  readonly container: string
  readonly name: string
  readonly content: Readable
  readonly headers: FileHeaders
  /** Aborts the write; what was stored is then removed. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Stores containers and files. Names have not been checked before.
 *
 * All functions reject with `FILE_NAME_INVALID` for a name that could lead elsewhere, and with `ENOENT` for what does not
 * exist.
 */
export interface Store {
  /** Responses to uploads show the store's facts about each file. */
  readonly returnsProviderResponse: boolean
  /** Checks that it is usable, if that requires no additional permission. */
  connect(): Promise<void>
  /** Resolves when it answers. */
  ping(): Promise<void>
  listContainers(): Promise<ContainerInfo[]>
  findContainer(name: string): Promise<ContainerInfo>
  /** Resolves if a container of this name exists. */
  checkContainer(name: string): Promise<void>
  /** @throws {ContainerExists} */
  createContainer(name: string): Promise<ContainerInfo>
  /** Deletes a container and its files. @throws {ContainerNotEmpty} there is something else in it */
  destroyContainer(name: string): Promise<void>
  /** Sorted by name. */
  listFiles(container: string, page?: FilePage): Promise<FileInfo[]>
  findFile(container: string, name: string): Promise<FileInfo>
  removeFile(container: string, name: string): Promise<void>
  openFile(container: string, name: string): Promise<OpenFile>
  /** Stores the bytes. If that fails, none of them remain. */
  writeFile(file: FileToWrite): Promise<PendingFile>
}
