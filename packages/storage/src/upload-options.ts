import type { IncomingMessage, ServerResponse } from 'node:http'
import type { UploadSettings } from './upload-settings.ts'

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

/** Gives the name that a file is stored under. */
export type GetFileName = (file: UploadedFile, request: IncomingMessage, response: ServerResponse) => string

/** What a script hands to `upload`. */
export interface UploadOptions extends UploadSettings {
  container?: string | undefined
}

/** What `upload` returns: files and texts by the names of their fields. */
export interface UploadResult {
  readonly files: Readonly<Record<string, readonly UploadedFile[]>>
  readonly fields: Readonly<Record<string, readonly string[]>>
}
