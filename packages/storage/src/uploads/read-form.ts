import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import { FormMalformed, FormTooLarge, NoFileUploaded } from '../errors.ts'

/** A file in a form, whose bytes are read as they arrive. */
export interface FormFile {
  readonly field: string
  /** As sent by the client, without Windows folders. */
  readonly fileName: string
  readonly type: string
  readonly content: Readable
}

/** The limits of a form, and the handler of its files. */
export interface FormReading {
  /** In bytes, for all fields together. */
  readonly maxFieldsSize: number
  readonly maxFiles: number
  /** Handles one file; the form continues once its bytes are read. `signal` is aborted if the form fails. */
  readonly takeFile: (file: FormFile, signal: AbortSignal) => Promise<void>
}

const maxFields = 1000

const isForm = ({ headers }: IncomingMessage): boolean =>
  /^\s*multipart\/form-data\s*(?:;|$)/i.test(headers['content-type'] ?? '')

/** @see HTML, multipart/form-data encoding algorithm: quotes and line ends are written in percent */
const decodeName = (written: string): string =>
  written.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n')

// LB3: formidable takes what stands behind the last backslash; Internet Explorer sent whole paths.
const baseName = (written: string): string => written.slice(written.lastIndexOf('\\') + 1)

function makeParser(request: IncomingMessage, { maxFieldsSize, maxFiles }: FormReading): BusboyInstance {
  try {
    return new Busboy({
      headers: request.headers as BusboyHeaders, // `isForm` found its content type
      preservePath: true,
      isPartAFile: (_field, _type, fileName) => fileName !== undefined && fileName !== '',
      limits: { fieldSize: maxFieldsSize + 1, fields: maxFields, files: maxFiles, parts: maxFields + maxFiles }
    })
  } catch (cause) {
    throw new FormMalformed('the form has no boundary', { cause })
  }
}

/**
 * Reads a form as it arrives: its files are handled one after the other, and its text fields collected.
 * @returns the texts by the names of their fields
 * @throws {NoFileUploaded} the request is not a form
 * @throws {FormMalformed} it is malformed, or ends too early
 * @throws {FormTooLarge} it has too many parts, or texts that are too long
 * @throws what `takeFile` rejects with
 */
export async function readForm(
  request: IncomingMessage,
  reading: FormReading
): Promise<Readonly<Record<string, readonly string[]>>> {
  if (!isForm(request)) throw new NoFileUploaded('No file content uploaded')
  if (request.readableEnded || request.destroyed) throw new FormMalformed('the form has already been read')
  const parser = makeParser(request, reading)
  const failure = new AbortController()
  const taken: Promise<void>[] = []
  const texts = new Map<string, string[]>()
  try {
    await parse(request, parser, { reading, failure, taken, texts })
    await Promise.all(taken)
    // The form may have been parsed to its end before a file of it failed.
    failure.signal.throwIfAborted()
  } catch (error) {
    failure.abort(error)
    request.unpipe(parser)
    // The rest is not kept: the client reads the answer when it has sent everything.
    request.resume()
    await Promise.allSettled(taken)
    throw failure.signal.reason
  }
  return Object.fromEntries(texts)
}

interface Parsing {
  readonly reading: FormReading
  readonly failure: AbortController
  readonly taken: Promise<void>[]
  readonly texts: Map<string, string[]>
}

/** Resolves when the whole form has been parsed; rejects at the first thing that is wrong. */
function parse(request: IncomingMessage, parser: BusboyInstance, parsing: Parsing): Promise<void> {
  const { reading, failure, taken, texts } = parsing
  let fieldsSize = 0
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      failure.abort(error)
      reject(error instanceof Error ? error : new FormMalformed('the form cannot be read'))
    }
    const tooMany = (what: string) => (): void => fail(new FormTooLarge(`the form has too many ${what}`))
    const take = async (file: FormFile): Promise<void> => {
      try {
        failure.signal.throwIfAborted()
        await reading.takeFile(file, failure.signal)
      } catch (error) {
        fail(error)
      }
    }
    parser.on('file', (field: string | undefined, content, fileName: string, _encoding, type) => {
      // A part that ends too early fails the form, also when it is no longer read.
      content.on('error', (cause: Error) => fail(new FormMalformed('the form ends unexpectedly', { cause })))
      taken.push(take({ field: field ?? '', fileName: decodeName(baseName(fileName)), type, content }))
    })
    parser.on('field', (name: string | undefined, value) => {
      fieldsSize += Buffer.byteLength(value)
      if (fieldsSize > reading.maxFieldsSize) fail(new FormTooLarge('the fields of the form are too long'))
      else texts.set(name ?? '', [...(texts.get(name ?? '') ?? []), value])
    })
    parser.once('filesLimit', tooMany('files'))
    parser.once('fieldsLimit', tooMany('fields'))
    parser.once('partsLimit', tooMany('parts'))
    parser.once('error', (cause: unknown) => fail(new FormMalformed('the form cannot be read', { cause })))
    parser.once('finish', resolve)
    const leave = (): void => {
      if (!request.readableEnded) fail(new FormMalformed('the form ends unexpectedly'))
    }
    request.once('error', leave)
    request.once('close', leave)
    request.pipe(parser)
  })
}
