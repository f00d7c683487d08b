import type { IncomingMessage, ServerResponse } from 'node:http'

/** A file of an upload, as its sender names it, and as answers show it. */
export interface UploadedFile {
  readonly container: string
  /** What it is stored as. */
  name: string
  /** The media type that the sender says. */
  readonly type: string
  /** The name of the form's field. */
  readonly field: string
  /** The sender's name where the file is stored under another one. */
  originalFilename?: string
  acl?: string
  size?: number
  /** What the store says of the file, where it is not a folder. */
  providerResponse?: Readonly<Record<string, unknown>>
}

/** A setting, or a function that gives it for one file of one upload. */
export type PerFile<Value> = Value | ((file: UploadedFile, request: IncomingMessage, response: ServerResponse) => Value)

/** How uploads are stored. Those of the data source hold unless a call says otherwise. */
export interface UploadSettings {
  /** In bytes; a text of digits is a number, too. */
  maxFileSize?: PerFile<number | string> | undefined
  allowedContentTypes?: PerFile<readonly string[]> | undefined
  getFilename?: ((file: UploadedFile, request: IncomingMessage, response: ServerResponse) => string) | undefined
  nameConflict?: 'makeUnique' | undefined
  acl?: PerFile<string> | undefined
  /** In bytes, of all fields together. */
  maxFieldsSize?: number | undefined
  maxFiles?: number | undefined
  StorageClass?: string | undefined
  CacheControl?: string | undefined
  ServerSideEncryption?: string | undefined
  SSEKMSKeyId?: string | undefined
}

/** What a script hands to `upload`. */
export interface UploadOptions extends UploadSettings {
  container?: string | undefined
}

/** What `upload` gives: files and texts by the names of their fields. */
export interface UploadResult {
  readonly files: Readonly<Record<string, readonly UploadedFile[]>>
  readonly fields: Readonly<Record<string, readonly string[]>>
}
