import { rename } from 'node:fs/promises'
import { DataSourceUnavailable } from '@modelwire/core'
import { openForAppending, syncFolder } from './append-file.ts'
import type { AppendFile } from './append-file.ts'
import { createDeferred } from './deferred.ts'
import type { Deferred } from './deferred.ts'
import { createWorkQueue } from './work-queue.ts'

/** The changes since the last snapshot, one line each, in the order in which they were made. */
export interface Journal {
  /** Bytes since the journal was begun. */
  readonly size: number
  /**
   * Resolves when the line is in the file. Lines that are given while a write is under way share the next one.
   * @throws {DataSourceUnavailable} it could not be written; it is tried again together with the next line
   */
  append: (line: string) => Promise<void>
  /** Renames the file to `aside` and begins a new one; `atBoundary` is called when no line is between the two. */
  rotate: (aside: string, atBoundary: () => void) => Promise<void>
  /** Resolves when all lines are written and the file is closed. */
  close: () => Promise<void>
}

/** Lines that are written together. */
interface Batch {
  text: string
  readonly written: Deferred
}

/** Opens the journal at `path`, whose first `size` bytes are whole lines. `sync` makes every write wait for the disk. */
export async function openJournal(path: string, size: number, sync: boolean): Promise<Journal> {
  const enqueue = createWorkQueue()
  let file = await openForAppending(path, size)
  let waiting: Batch | undefined
  let unwritten = ''

  const writeWaiting = async (): Promise<void> => {
    const batch = waiting
    waiting = undefined
    if (batch === undefined) return
    try {
      await file.append(unwritten + batch.text, sync)
      unwritten = ''
      batch.written.resolve()
    } catch (cause) {
      unwritten += batch.text
      batch.written.reject(new DataSourceUnavailable('the change could not be written to the data file', { cause }))
    }
  }

  return {
    get size() {
      return file.size
    },
    append(line) {
      if (waiting === undefined) {
        waiting = { text: '', written: createDeferred() }
        void enqueue(writeWaiting)
      }
      waiting.text += line
      return waiting.written.promise
    },
    rotate: (aside, atBoundary) =>
      enqueue(async () => {
        file = await replaceFile(file, path, aside)
        atBoundary()
      }),
    close: () => enqueue(() => file.close())
  }
}

async function replaceFile(file: AppendFile, path: string, aside: string): Promise<AppendFile> {
  await rename(path, aside)
  const next = await openForAppending(path, 0)
  await syncFolder(path)
  await file.close()
  return next
}
