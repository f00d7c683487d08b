import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Journal } from './journal.ts'
import { noChange } from './change-lines.ts'
import { writeSnapshot, type ModelSnapshot, type SnapshotMark } from './write-snapshot.ts'

/** Turns the journal into a snapshot. */
export interface Compaction {
  /** Starts a compaction if the journal has become large and none is running. */
  startWhenDue: () => void
  /** Writes a full snapshot, after any running compaction. */
  run: () => Promise<void>
  /** Resolves when none is running. Never rejects: a failed compaction is retried, and nothing is lost meanwhile. */
  settle: () => Promise<void>
  /** The current snapshot. Once there has been one, its absence is an error. */
  readonly snapshot: SnapshotMark
  /** Whether the journal should not wait for the next start: the snapshot is small, or most of what it costs is paid for. */
  readonly isDueAtEnd: boolean
}

/** Bytes that a journal may have before it is turned into a snapshot, however small that is. */
const smallestJournal = 1_000_000

/** Bytes of a snapshot that is written in about a tenth of a second: people who edit it find it up to date. */
const smallSnapshot = 10_000_000

/** The part of a larger snapshot that the journal may have when the process ends. */
const partAtEnd = 0.1

/**
 * The names of the files. While a snapshot is written, its contents are still in the old journal, which is kept until the
 * snapshot is in place; new changes go to the new journal.
 */
export function filesOf(file: string): { snapshot: string; journal: string; aside: string } {
  return { snapshot: file, journal: `${file}.journal`, aside: `${file}.journal.old` }
}

/** The dependencies of a compaction. */
export interface CompactionParts {
  readonly file: string
  readonly journal: Journal
  /** Captures the current state of all models. */
  readonly capture: () => readonly ModelSnapshot[]
  /** The current snapshot. */
  readonly snapshot: SnapshotMark
  /** Every snapshot counts as a small one when the process ends. */
  readonly rewriteAtEnd: boolean
}

/** Makes the compaction of one data file. */
export function createCompaction(parts: CompactionParts): Compaction {
  let { snapshot } = parts
  let current: Promise<void> | undefined

  const start = async (): Promise<void> => {
    try {
      await compact(parts, (mark) => (snapshot = mark))
    } finally {
      current = undefined
    }
  }
  const settle = async (): Promise<void> => {
    try {
      await current
    } catch {
      // The journals still hold everything. The next compaction, or the one at the end, reports the error.
    }
  }
  return {
    startWhenDue() {
      if (current !== undefined || parts.journal.size <= Math.max(smallestJournal, snapshot.size)) return
      current = start()
      void settle()
    },
    async run() {
      await settle()
      current = start()
      await current
    },
    settle,
    get snapshot() {
      return snapshot
    },
    get isDueAtEnd() {
      const isSmall = parts.rewriteAtEnd || snapshot.size <= smallSnapshot
      return parts.journal.size > (isSmall ? 0 : partAtEnd * snapshot.size)
    }
  }
}

type OnWritten = (mark: SnapshotMark) => void

async function compact(parts: CompactionParts, onWritten: OnWritten): Promise<void> {
  const { file, journal, capture } = parts
  const { aside } = filesOf(file)
  // An earlier snapshot failed or its process died: the next one takes that journal in before another is set aside.
  if (existsSync(aside)) {
    // The journal may end with the mark of the snapshot that is replaced now.
    await journal.append(noChange)
    await replaceSnapshot(parts, capture(), onWritten)
  }
  let models: readonly ModelSnapshot[] = []
  await journal.rotate(aside, () => {
    models = capture()
  })
  await replaceSnapshot(parts, models, onWritten)
}

async function replaceSnapshot(
  { file, journal }: CompactionParts,
  models: readonly ModelSnapshot[],
  onWritten: OnWritten
): Promise<void> {
  const { snapshot, aside } = filesOf(file)
  // What was captured may hold changes that are still on their way to the journal, and undone when they do not arrive.
  await journal.flush()
  onWritten(await writeSnapshot(snapshot, models))
  await rm(aside, { force: true })
}
