import { PassThrough, Readable, Writable } from 'node:stream'
import type { ByteRange, FileHeaders, FileInfo, Store } from './store.ts'

/** A file in a store. */
export interface FilePlace {
  readonly store: Store
  readonly container: string
  readonly name: string
}

/** A stream that writes a file: `success` is emitted with the store's facts when it is in its place. */
export function writeStored({ store, container, name }: FilePlace, headers: FileHeaders): Writable {
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
export function readStored({ store, container, name }: FilePlace, range: Partial<ByteRange>): Readable {
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
