import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable, Writable, PassThrough } from 'node:stream'
import { InvalidArgument, type MethodSpec } from '@modelwire/core'
import type { ConnectorMethods } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import { FileNameInvalid } from './errors.ts'
import { receiveUpload } from './uploads/receive-upload.ts'
import { sendFile } from './send-file.ts'
import type { ByteRange, ContainerInfo, FileHeaders, FileInfo, FilePage, Store } from './stores/store.ts'
import {
  isSet,
  type UploadSettings,
  uploadSettingsOf,
  type UploadOptions,
  type UploadResult
} from './uploads/upload-settings.ts'

/** A file in a store. */
interface FilePlace {
  readonly store: Store
  readonly container: string
  readonly name: string
}

/**
 * The methods of models that are attached to a storage. With `boot` those that return promises may also be called with a
 * callback.
 */
export interface StorageMethods {
  getContainers(): Promise<ContainerInfo[]>
  getContainer(container: string): Promise<ContainerInfo>
  createContainer(options: { readonly name: string }): Promise<ContainerInfo>
  destroyContainer(container: string): Promise<void>
  /** Files sorted by name; one page of them if `limit` or `after`, the last name of the previous page, is passed. */
  getFiles(container: string, limit?: number | FilePage, after?: string): Promise<FileInfo[]>
  getFile(container: string, file: string): Promise<FileInfo>
  removeFile(container: string, file: string): Promise<void>
  /** Stores the files of a request's form, whose body must not have been read. */
  upload(
    container: string,
    request: IncomingMessage,
    response: ServerResponse,
    options?: UploadOptions
  ): Promise<UploadResult>
  /** Responds to a request with a file. */
  download(container: string, file: string, request: IncomingMessage, response: ServerResponse): Promise<void>
  /** A stream that writes a file, and emits `success` once it is stored. */
  uploadStream(container: string, file: string, options?: FileHeaders): Writable
  /** The bytes of a file. */
  downloadStream(container: string, file: string, options?: Partial<ByteRange>): Readable
}

/** The dependencies of the methods. */
export interface StorageParts {
  readonly store: Store
  /** Called at each upload, since scripts may change the settings. */
  readonly uploadSettings: () => UploadSettings
  readonly inlineTypes: readonly string[] | undefined
}

const path = (arg: string): object => ({ arg, type: 'string', required: true, http: { source: 'path' } })
const [containerArgument, fileArgument] = [path('container'), path('file')]
const request = { arg: 'req', type: 'object', http: { source: 'req' } }
const response = { arg: 'res', type: 'object', http: { source: 'res' } }
const root = (arg: string, type: string): object => ({ arg, type, root: true })

/**
 * How clients call the methods, by name.
 * @see LoopBack 3: loopback-component-storage, lib/storage-service.js
 */
const remote: Readonly<Record<string, MethodSpec>> = {
  getContainers: { accepts: [], returns: root('containers', 'array'), http: { verb: 'get', path: '/' } },
  getContainer: {
    accepts: [containerArgument],
    returns: root('container', 'object'),
    http: { verb: 'get', path: '/:container' }
  },
  createContainer: {
    accepts: [{ arg: 'options', type: 'object', http: { source: 'body' } }],
    returns: root('container', 'object'),
    http: { verb: 'post', path: '/' }
  },
  destroyContainer: { accepts: [containerArgument], returns: {}, http: { verb: 'delete', path: '/:container' } },
  getFiles: {
    accepts: [
      containerArgument,
      { arg: 'limit', type: 'number', http: { source: 'query' }, description: 'at most this many files' },
      {
        arg: 'after',
        type: 'string',
        http: { source: 'query' },
        description: 'only files whose names come after this one'
      }
    ],
    returns: root('files', 'array'),
    http: { verb: 'get', path: '/:container/files' }
  },
  getFile: {
    accepts: [containerArgument, fileArgument],
    returns: root('file', 'object'),
    http: { verb: 'get', path: '/:container/files/:file' }
  },
  removeFile: {
    accepts: [containerArgument, fileArgument],
    returns: {},
    http: { verb: 'delete', path: '/:container/files/:file' }
  },
  upload: {
    accepts: [containerArgument, request, response],
    returns: { arg: 'result', type: 'object' },
    http: { verb: 'post', path: '/:container/upload' }
  },
  download: {
    accepts: [containerArgument, fileArgument, request, response],
    returns: { arg: 'content', type: 'file', root: true },
    http: { verb: 'get', path: '/:container/download/:file' }
  }
}

/** True for Node's request, which may stand before the container's name or in its place. */
const isRequest = (value: unknown): value is IncomingMessage =>
  typeof value === 'object' && value !== null && 'url' in value && 'method' in value

function nameIn(options: unknown): unknown {
  const name = isPlainObject(options) ? options['name'] : undefined
  if (name === undefined) throw new InvalidArgument('name is required: the container has none')
  return name
}

/** LB3: `upload(req, res, options)` takes the container from the options, else from the path. */
function containerOf(options: UploadOptions, incoming: IncomingMessage): string {
  const params: unknown = Reflect.get(incoming, 'params')
  const named: unknown = options.container ?? (isPlainObject(params) ? params['container'] : undefined)
  if (typeof named === 'string') return named
  throw new FileNameInvalid('Invalid name: the upload has no container')
}

async function upload(parts: StorageParts, args: readonly unknown[]): Promise<UploadResult> {
  const [first] = args
  const [incoming, answer, rawOptions] = isRequest(first) ? args : args.slice(1)
  if (!isRequest(incoming)) throw new InvalidArgument('an upload requires a request')
  const options: UploadOptions = isPlainObject(rawOptions) ? rawOptions : {}
  return receiveUpload({
    store: parts.store,
    request: incoming,
    response: answer as ServerResponse, // what came with the request
    container: typeof first === 'string' ? first : containerOf(options, incoming),
    settings: { ...parts.uploadSettings(), ...uploadSettingsOf(options) }
  })
}

const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value
  throw new FileNameInvalid('Invalid name: it is not a string')
}

/** The page of a list; scripts may give both in one object. @throws {InvalidArgument} one of the two is malformed */
function pageOf(first: unknown, second: unknown): FilePage {
  const { limit, after } = isPlainObject(first) ? first : { limit: first, after: second }
  if (isSet(limit) && !(Number.isSafeInteger(limit) && Number(limit) > 0))
    throw new InvalidArgument('limit must be a positive integer')
  if (isSet(after) && typeof after !== 'string') throw new InvalidArgument('after must be a string')
  return {
    ...(typeof limit === 'number' && { limit }),
    ...(typeof after === 'string' && after !== '' && { after })
  }
}

const objectOf = (value: unknown): Readonly<Record<string, unknown>> => (isPlainObject(value) ? value : {})

type Functions = Readonly<Record<keyof StorageMethods, (...args: unknown[]) => unknown>>

function functionsOf(parts: StorageParts): Functions {
  const { store, inlineTypes } = parts
  const download = (place: unknown, name: unknown, incoming: unknown, answer: unknown): Promise<void> =>
    sendFile({
      store,
      container: textOf(place),
      name: textOf(name),
      request: incoming as IncomingMessage, // callers pass on the server's objects
      response: answer as ServerResponse,
      inlineTypes
    })
  return {
    getContainers: () => store.listContainers(),
    getContainer: async (name) => store.findContainer(textOf(name)),
    createContainer: async (options) => store.createContainer(textOf(nameIn(options))),
    destroyContainer: async (name) => store.destroyContainer(textOf(name)),
    getFiles: async (name, limit, after) => store.listFiles(textOf(name), pageOf(limit, after)),
    getFile: async (place, name) => store.findFile(textOf(place), textOf(name)),
    removeFile: async (place, name) => store.removeFile(textOf(place), textOf(name)),
    upload: async (...args) => upload(parts, args),
    download: async (...args) => download(args[0], args[1], args[2], args[3]),
    uploadStream: (place, name, options) =>
      writeStored({ store, container: textOf(place), name: textOf(name) }, objectOf(options)),
    downloadStream: (place, name, options) =>
      readStored({ store, container: textOf(place), name: textOf(name) }, objectOf(options))
  }
}

const givesStream = new Set(['uploadStream', 'downloadStream'])

/** The methods of models of a storage. */
export function storageMethods(parts: StorageParts): ConnectorMethods {
  const methods = Object.entries(functionsOf(parts)).map(([name, run]) => {
    const spec = remote[name]
    return [name, { run, givesPromise: !givesStream.has(name), ...(spec !== undefined && { remote: spec }) }] as const
  })
  return Object.fromEntries(methods)
}

/** A stream that writes a file: `success` is emitted with the store's facts when it is in its place. */
function writeStored({ store, container, name }: FilePlace, headers: FileHeaders): Writable {
  const content = new PassThrough()
  const write = async (): Promise<FileInfo> => (await store.writeFile({ container, name, content, headers })).commit()
  const writing = write()
  const stream = new Writable({
    write: (chunk, encoding, done) => void content.write(chunk, encoding, done),
    final: (done) => {
      content.end()
      void settle(writing, done, (info) => process.nextTick(() => stream.emit('success', info)))
    },
    destroy: (error, done) => {
      content.destroy(error ?? undefined)
      done(error)
    }
  })
  // What fails before the end fails the stream at once.
  void settle(writing, (error) => (error === null ? undefined : stream.destroy(error)))
  content.on('error', () => undefined)
  return stream
}

async function settle<Value>(
  promise: Promise<Value>,
  done: (error: Error | null) => unknown,
  succeed: (value: Value) => unknown = () => undefined
): Promise<void> {
  try {
    succeed(await promise)
  } catch (error) {
    done(error instanceof Error ? error : new Error('the file was not stored', { cause: error }))
    return
  }
  done(null)
}

/** A stream of the bytes of a file, or of a part of it. */
function readStored({ store, container, name }: FilePlace, range: Partial<ByteRange>): Readable {
  async function* read(): AsyncGenerator<Buffer> {
    const file = await store.openFile(container, name)
    try {
      const { start = 0, end = file.size - 1 } = range
      if (start <= end) yield* (await file.read({ start, end: Math.min(end, file.size - 1) })) as AsyncIterable<Buffer> // bytes
    } finally {
      await file.close()
    }
  }
  return Readable.from(read(), { objectMode: false })
}
