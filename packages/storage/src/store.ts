import type { Readable } from 'node:stream'
import type { HeaderSettings } from './upload-settings.ts'

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

/** What is stored of a file besides its bytes, where the store can. */
export interface FileHeaders extends HeaderSettings {
  readonly contentType?: string | undefined
  /** Who may read it: one of the store's own words, such as `public-read`. */
  readonly acl?: string | undefined
}

/** A file that has replaced another one, or has a new name. One of the two functions is called. */
export interface CommittedFile {
  readonly info: FileInfo
  /** Restores what was there before, where the store can. */
  readonly revert: () => Promise<void>
  /** Forgets what was there before. */
  readonly settle: () => Promise<void>
}

/** A file whose bytes are stored, and which is not visible yet. One of the functions is called, once. */
export interface PendingFile {
  readonly size: number
  /** Puts it in its place, where it replaces another file of its name, and returns the store's facts of it. */
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

/** A file that is about to be read: its facts hold for the bytes that come. `close` is called at the end. */
export interface OpenFile {
  readonly size: number
  readonly lastModified: Date
  /** Another one for other content, as HTTP writes it. */
  readonly etag: string
  /** Rejects with `ENOENT` where the file has been replaced or removed since. */
  readonly read: (range?: ByteRange) => Promise<Readable>
  readonly close: () => Promise<void>
}

/** Which files of a container are listed: those whose names follow `after`, and at most `limit` of them. */
export interface FilePage {
  readonly limit?: number | undefined
  readonly after?: string | undefined
}

/** What is written where. */
export interface FileToWrite {
  readonly container: string
  readonly name: string
  readonly content: Readable
  readonly headers: FileHeaders
  /** Ends the writing; what was stored is removed then. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Where containers and files are. Names have not been checked before.
 *
 * All functions reject with `FILE_NAME_INVALID` for a name that could lead elsewhere, and with `ENOENT` for what is not there.
 */
export interface Store {
  /** Answers to uploads show the store's facts of each file. */
  readonly returnsProviderResponse: boolean
  /** Makes sure that it can be used, where that takes no right of its own. */
  connect(): Promise<void>
  /** Resolves when it answers. */
  ping(): Promise<void>
  listContainers(): Promise<ContainerInfo[]>
  findContainer(name: string): Promise<ContainerInfo>
  /** Resolves when there is a container of this name. */
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
  /** Stores the bytes. When that fails nothing of them is left. */
  writeFile(file: FileToWrite): Promise<PendingFile>
}
