import type { IncomingMessage, ServerResponse } from 'node:http'

/** A file of an upload, as its sender names it, and as answers show it. */
export interface UploadedFile {
  readonly container: string
  /** What it is stored as. */
  name: string
  /** The media type by the sender. */
  readonly type: string
  /** The name of the form's field. */
  readonly field: string
  /** The sender's name where the file is stored under another one. */
  originalFilename?: string
  acl?: string
  size?: number
  /** The store's facts of the file, where it is not a folder. */
  providerResponse?: Readonly<Record<string, unknown>>
}

/** A setting, or a function that gives it for one file of one upload. */
export type PerFile<Value> = Value | ((file: UploadedFile, request: IncomingMessage, response: ServerResponse) => Value)

/** Gives the name that a file is stored under. */
export type GetFileName = (file: UploadedFile, request: IncomingMessage, response: ServerResponse) => string
