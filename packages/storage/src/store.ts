import type { Readable } from 'node:stream'

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
export interface FileHeaders {
  readonly contentType?: string | undefined
  /** Who may read it: one of the store's own words, such as `public-read`. */
  readonly acl?: string | undefined
  /** Settings such as `StorageClass` by the names that LoopBack has for them. */
  readonly amazon?: Readonly<Record<string, string>> | undefined
}

/** A file whose bytes are stored, and which nobody sees yet. One of the two functions is called. */
export interface PendingFile {
  readonly size: number
  /** Puts it in its place, where it replaces another file of its name, and gives what the store says of it. */
  readonly commit: () => Promise<FileInfo>
  readonly discard: () => Promise<void>
}

/** The first and the last byte of a part of a file. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** A file that is about to be read: its facts hold for the bytes that come. One of the two functions is called. */
export interface OpenFile {
  readonly size: number
  readonly lastModified: Date
  readonly read: (range?: ByteRange) => Promise<Readable>
  readonly close: () => Promise<void>
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
 * Where containers and files are. Names were not checked by whoever calls.
 *
 * All functions reject with `FILE_NAME_INVALID` for a name that could lead elsewhere, and with `ENOENT` for what is not there.
 */
export interface Store {
  /** Answers to uploads show what the store says of each file. */
  readonly tellsOfUploads: boolean
  /** Makes sure that it can be used, where that takes no right of its own. */
  connect(): Promise<void>
  /** Resolves when it answers. */
  ping(): Promise<void>
  listContainers(): Promise<ContainerInfo[]>
  findContainer(name: string): Promise<ContainerInfo>
  /** Resolves when there is a container of this name. */
  checkContainer(name: string): Promise<void>
  /** @throws {ContainerExists} */
  createContainer(name: string, options: Readonly<Record<string, unknown>>): Promise<ContainerInfo>
  /** Deletes a container and its files. @throws {ContainerNotEmpty} there is something else in it */
  destroyContainer(name: string): Promise<void>
  listFiles(container: string): Promise<FileInfo[]>
  findFile(container: string, name: string): Promise<FileInfo>
  removeFile(container: string, name: string): Promise<void>
  openFile(container: string, name: string): Promise<OpenFile>
  /** Stores the bytes. When that fails nothing of them is left. */
  writeFile(file: FileToWrite): Promise<PendingFile>
}
