import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { checkName } from './check-name.ts'
import { ContentTypeRefused, FileTooLarge, NoFileUploaded } from './errors.ts'
import { type FormFile, readForm } from './read-form.ts'
import { amazonOptions } from './s3-store.ts'
import type { FileHeaders, PendingFile, Store } from './store.ts'
import type { PerFile, UploadedFile, UploadOptions, UploadResult } from './upload-options.ts'

/** One upload: where it comes from, and where it goes. */
export interface Upload {
  readonly store: Store
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly container: string
  readonly options: UploadOptions
}

/** Bytes of a file; LoopBack's default. */
const defaultMaxFileSize = 10 * 1024 * 1024
const defaultMaxFieldsSize = 1024 * 1024
const defaultMaxFiles = 100

/** A function of the application gives the value for one file. */
type AskPerFile<Value> = (file: UploadedFile, request: IncomingMessage, response: ServerResponse) => Value

/** The value of a setting for one file. */
function forFile<Value extends number | string | readonly string[]>(
  setting: PerFile<Value> | undefined,
  file: UploadedFile,
  { request, response }: Upload
): Value | undefined {
  // No value of a setting is a function.
  return typeof setting === 'function' ? (setting as AskPerFile<Value>)(file, request, response) : setting
}

/** The file as it will be stored. The sender's own name may lead nowhere else; that of the application is the store's to check. */
function nameFile({ field, fileName, type }: FormFile, upload: Upload): UploadedFile {
  const { container, options, request, response } = upload
  const name = checkName(fileName)
  const file: UploadedFile = { container, name, type, field }
  if (options.getFilename !== undefined)
    return Object.assign(file, { originalFilename: name, name: options.getFilename(file, request, response) })
  if (options.nameConflict === 'makeUnique')
    return Object.assign(file, { originalFilename: name, name: randomUUID() + extname(name) })
  return file
}

/** @throws {ContentTypeRefused} its sender says another type than those that are allowed; an empty list allows all */
function checkType(file: UploadedFile, upload: Upload): void {
  const allowed = forFile(upload.options.allowedContentTypes, file, upload) ?? []
  if (allowed.length === 0 || allowed.includes(file.type)) return
  throw new ContentTypeRefused(`contentType "${file.type}" is not allowed (Must be in [${allowed.join(', ')}])`)
}

/** Passes bytes on as long as there are no more of them than `limit`. */
function meter(limit: number): Transform {
  let size = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (size <= limit) done(null, chunk)
      else done(new FileTooLarge(`maxFileSize exceeded: the file has more than ${limit} bytes`))
    }
  })
}

/** The bytes of a file, up to its limit. What fails there fails in the stream that is given. */
function limited(content: Readable, limit: number): Readable {
  const metered = meter(limit)
  // Whoever reads it hears of its errors, but it may fail before that.
  metered.on('error', () => undefined)
  content.once('error', (error) => metered.destroy(error))
  metered.once('close', () => content.unpipe(metered))
  return content.pipe(metered)
}

function headersOf(file: UploadedFile, options: UploadOptions): FileHeaders {
  const amazon = Object.entries(options).filter(([name, value]) => amazonOptions.includes(name) && value !== undefined)
  return { contentType: file.type, acl: file.acl, amazon: Object.fromEntries(amazon) as Record<string, string> } // texts
}

interface Taken {
  /** Its place among the files of the form. */
  readonly place: number
  readonly file: UploadedFile
  readonly pending: PendingFile
}

async function takeFile(given: FormFile, upload: Upload, signal: AbortSignal): Promise<Omit<Taken, 'place'>> {
  const { store, container, options } = upload
  const file = nameFile(given, upload)
  checkType(file, upload)
  const acl = forFile(options.acl, file, upload)
  if (acl !== undefined) file.acl = acl
  const content = limited(given.content, Number(forFile(options.maxFileSize, file, upload) ?? defaultMaxFileSize))
  const pending = await store.writeFile({
    container,
    name: file.name,
    content,
    headers: headersOf(file, options),
    signal
  })
  file.size = pending.size
  return { file, pending }
}

/** Puts all files in their places; where one cannot be, those that are not there yet are removed. */
async function commitAll(taken: readonly Taken[], upload: Upload): Promise<void> {
  const left = [...taken]
  try {
    for (const { file, pending } of taken) {
      const stored = await pending.commit()
      left.shift()
      Object.assign(file, upload.store.tellsOfUploads && { providerResponse: stored })
    }
  } catch (error) {
    await discardAll(left)
    throw error
  }
}

async function discardAll(taken: readonly Taken[]): Promise<void> {
  await Promise.allSettled(taken.map(({ pending }) => pending.discard()))
}

function byField(taken: readonly Taken[]): UploadResult['files'] {
  const files = new Map<string, UploadedFile[]>()
  for (const { file } of taken) files.set(file.field, [...(files.get(file.field) ?? []), file])
  return Object.fromEntries(files)
}

/**
 * Stores the files of a form, as they arrive: all of them, or none.
 * @throws {NoFileUploaded} there is no file in it
 * @throws {FileTooLarge} one is larger than `maxFileSize`
 * @throws {ContentTypeRefused} one is of a type that is not allowed
 * @throws {FileNameInvalid} the name of one may lead elsewhere
 * @see LoopBack 3: loopback-component-storage, lib/storage-handler.js, upload
 */
export async function receiveUpload(upload: Upload): Promise<UploadResult> {
  const { store, request, container, options } = upload
  await store.checkContainer(container)
  const taken: Taken[] = []
  let places = 0
  try {
    const fields = await readForm(request, {
      maxFieldsSize: options.maxFieldsSize ?? defaultMaxFieldsSize,
      maxFiles: options.maxFiles ?? defaultMaxFiles,
      takeFile: async (file, signal) => {
        const place = places++
        taken.push({ place, ...(await takeFile(file, upload, signal)) })
      }
    })
    if (taken.length === 0) throw new NoFileUploaded('No file content uploaded')
    taken.sort((one, other) => one.place - other.place)
    await commitAll(taken, upload)
    return { files: byField(taken), fields }
  } catch (error) {
    await discardAll(taken)
    throw error
  }
}
