import { rename } from 'node:fs/promises'
import { DataSourceUnavailable } from '@modelwire/core'
import { openForAppending, syncFolder, type AppendFile, createDeferred, type Deferred } from './append-file.ts'
import { writeLine } from './journal-line.ts'

/** Runs tasks one after the other, in order, and returns the result of each. */
type WorkQueue = <Result>(task: () => Promise<Result> | Result) => Promise<Result>

/** The changes since the last snapshot, one line each, in chronological order. */
export interface Journal {
  /** Bytes since the start of the journal. */
  readonly size: number
  /**
   * Resolves when the line is in the file. Lines appended during a write are batched into the next one. If it cannot be
   * written, neither it nor any later line is, and `undo` is called, the last change first.
   * @throws {DataSourceUnavailable} it could not be written
   */
  append: (line: string, undo?: () => void) => Promise<void>
  /** Resolves when every line appended so far is written; rejects if one of them was undone. */
  flush: () => Promise<void>
  /** Renames the file to `aside` and starts a new one; `atBoundary` is called when no line is being written. */
  rotate: (aside: string, atBoundary: () => void) => Promise<void>
  /** Whether the file is still where it was opened. */
  readonly isThere: boolean
  /** Resolves when all lines are on disk and the file is closed. */
  close: () => Promise<void>
}

/** The start of a journal. */
export interface JournalStart {
  /** Bytes of complete lines in the file. */
  readonly size: number
  /** The number of its last line. */
  readonly number: number
  /** Every write is synced to disk. */
  readonly sync: boolean
  /** Throws if the files have been changed by others; called before every write. */
  readonly check?: (journal: AppendFile) => void
}

/** Lines that are written together. */
interface Batch {
  readonly lines: string[]
  readonly undos: (() => void)[]
  readonly written: Deferred
}

/** Opens the journal at `path`. */
export async function openJournal(path: string, start: JournalStart): Promise<Journal> {
  return new FileJournal(path, start, await openForAppending(path, start.size))
}

class FileJournal implements Journal {
  readonly #path: string
  readonly #start: JournalStart
  readonly #enqueue = createWorkQueue()
  #file: AppendFile
  #number: number
  #waiting: Batch | undefined
  #failures = 0

  constructor(path: string, start: JournalStart, file: AppendFile) {
    this.#path = path
    this.#start = start
    this.#file = file
    this.#number = start.number
  }

  get size(): number {
    return this.#file.size
  }

  get isThere(): boolean {
    return this.#file.isAt(this.#path)
  }

  append(line: string, undo: () => void = () => {}): Promise<void> {
    if (this.#waiting === undefined) {
      this.#waiting = { lines: [], undos: [], written: createDeferred() }
      void this.#enqueue(() => this.#writeWaiting())
    }
    const { lines, undos, written } = this.#waiting
    lines.push(line)
    undos.push(undo)
    return written.promise
  }

  async flush(): Promise<void> {
    const before = this.#failures
    await this.#enqueue(() => {})
    if (this.#failures !== before) throw new DataSourceUnavailable('a change could not be written to the data file')
  }

  async rotate(aside: string, atBoundary: () => void): Promise<void> {
    await this.#enqueue(async () => {
      this.#file = await replaceFile(this.#file, this.#path, aside)
      this.#number = 0
      atBoundary()
    })
  }

  async close(): Promise<void> {
    await this.#enqueue(async () => {
      try {
        await this.#file.sync()
      } finally {
        await this.#file.close()
      }
    })
  }

  async #writeWaiting(): Promise<void> {
    const batch = this.#waiting
    this.#waiting = undefined
    if (batch === undefined) return
    const text = batch.lines.map((line, at) => writeLine(this.#number + at + 1, line)).join('')
    try {
      this.#start.check?.(this.#file)
      await this.#file.append(text, this.#start.sync)
      this.#number += batch.lines.length
      batch.written.resolve()
    } catch (cause) {
      this.#giveUp(batch, cause)
    }
  }

  /** What came after the change that failed may build upon it: all of it is undone. */
  #giveUp(batch: Batch, cause: unknown): void {
    const failed = this.#waiting === undefined ? [batch] : [batch, this.#waiting]
    this.#waiting = undefined
    this.#failures++
    for (const { undos } of failed.toReversed()) for (const undo of undos.toReversed()) undo()
    const error = new DataSourceUnavailable('the change could not be written to the data file', { cause })
    for (const { written } of failed) written.reject(error)
  }
}

async function replaceFile(file: AppendFile, path: string, aside: string): Promise<AppendFile> {
  // The journal was removed: the snapshot that is about to be written has what it held.
  if (file.isAt(path)) await rename(path, aside)
  const next = await openForAppending(path, 0)
  await syncFolder(path)
  await file.close()
  return next
}

/** Makes a queue. A task that fails does not keep the next one from running. */
function createWorkQueue(): WorkQueue {
  let last: Promise<unknown> = Promise.resolve()
  return async (task) => {
    const before = last
    const { promise, resolve } = createDeferred()
    last = promise
    await before
    try {
      return await task()
    } finally {
      resolve()
    }
  }
}
