import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { checkName } from '../stores/check-name.ts'
import { ContentTypeRefused, FileTooLarge, FormTooLarge } from '../errors.ts'
import type { FormFile } from './read-form.ts'
import type { PendingFile, Store } from '../stores/store.ts'
import {
  defaultMaxFileSize,
  defaultMaxFilesSize,
  isSet,
  type UploadSettings,
  type PerFile,
  type UploadedFile
} from './upload-settings.ts'

/** One upload: its source and its target. */
export interface Upload {
  readonly store: Store
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly container: string
  readonly settings: UploadSettings
}

/** A file of an upload whose bytes are stored. */
export interface TakenFile {
  readonly file: UploadedFile
  readonly pending: PendingFile
}

/** A function of the application that returns the value for one file. */
type PerFileFunction<Value> = (file: UploadedFile, request: IncomingMessage, response: ServerResponse) => Value

/** The value of a setting for one file. */
function forFile<Value extends number | string | readonly string[]>(
  setting: PerFile<Value> | undefined,
  file: UploadedFile,
  { request, response }: Upload
): Value | undefined {
  // No value of a setting is a function.
  return typeof setting === 'function' ? (setting as PerFileFunction<Value>)(file, request, response) : setting
}

/** The file as it will be stored. The sender's own name may lead nowhere else; that of the application is the store's to check. */
function nameFile({ field, fileName, type }: FormFile, upload: Upload): UploadedFile {
  const { container, settings, request, response } = upload
  const name = checkName(fileName)
  const file: UploadedFile = { container, name, type, field }
  if (settings.getFilename !== undefined)
    return Object.assign(file, { originalFilename: name, name: settings.getFilename(file, request, response) })
  if (settings.nameConflict === 'makeUnique')
    return Object.assign(file, { originalFilename: name, name: randomUUID() + extname(name) })
  return file
}

/** @throws {ContentTypeRefused} its type by the sender is not allowed; an empty list allows all */
function checkType(file: UploadedFile, upload: Upload): void {
  const allowed = forFile(upload.settings.allowedContentTypes, file, upload) ?? []
  if (allowed.length === 0 || allowed.includes(file.type)) return
  throw new ContentTypeRefused(`contentType "${file.type}" is not allowed (Must be in [${allowed.join(', ')}])`)
}

/** Bytes of all files of one upload so far. */
export interface ReceivedBytes {
  total: number
}

interface Limits {
  readonly fileSize: number
  readonly filesSize: number
}

function limitsOf(file: UploadedFile, upload: Upload): Limits {
  const own = forFile(upload.settings.maxFileSize, file, upload)
  const fileSize = Number(isSet(own) ? own : defaultMaxFileSize)
  return { fileSize, filesSize: upload.settings.maxFilesSize ?? Math.max(defaultMaxFilesSize, fileSize) }
}

/** Passes bytes on as long as there are no more of them than the limits allow. */
function meter({ fileSize, filesSize }: Limits, received: ReceivedBytes): Transform {
  let size = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      received.total += chunk.length
      if (size > fileSize) done(new FileTooLarge(`maxFileSize exceeded: the file has more than ${fileSize} bytes`))
      else if (received.total > filesSize)
        done(new FormTooLarge(`maxFilesSize exceeded: the files have more than ${filesSize} bytes`))
      else done(null, chunk)
    }
  })
}

/** The bytes of a file, up to its limits. What fails there fails in the stream that is returned. */
function limited(content: Readable, metered: Transform): Readable {
  // Its reader gets its errors, but it may fail before it is read.
  metered.on('error', () => undefined)
  content.once('error', (error) => metered.destroy(error))
  metered.once('close', () => content.unpipe(metered))
  return content.pipe(metered)
}

/**
 * Stores the bytes of one file; it is not visible before it is committed.
 * @throws {FileTooLarge} it is larger than `maxFileSize`
 * @throws {FormTooLarge} the files of the upload are larger than `maxFilesSize`
 * @throws {ContentTypeRefused} it is of a type that is not allowed
 * @throws {FileNameInvalid} its name may lead elsewhere
 */
export async function takeFile(
  part: FormFile,
  upload: Upload,
  received: ReceivedBytes,
  signal: AbortSignal
): Promise<TakenFile> {
  const { store, container, settings } = upload
  const file = nameFile(part, upload)
  checkType(file, upload)
  const acl = forFile(settings.acl, file, upload)
  if (isSet(acl)) file.acl = acl
  const content = limited(part.content, meter(limitsOf(file, upload), received))
  const { type: contentType, name } = file
  const headers = { ...settings, contentType, acl: file.acl }
  const pending = await store.writeFile({ container, name, content, headers, signal })
  file.size = pending.size
  return { file, pending }
}
