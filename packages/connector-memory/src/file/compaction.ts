import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Journal } from './journal.ts'
import { writeSnapshot } from './write-snapshot.ts'
import type { ModelSnapshot } from './write-snapshot.ts'

/** Turns the journal into a snapshot. */
export interface Compaction {
  /** Starts one when the journal has become large and none is under way. */
  startWhenDue: () => void
  /** Writes a snapshot of everything, after the one under way. */
  run: () => Promise<void>
  /** Resolves when none is under way. Never rejects: what failed is tried again, and nothing is lost meanwhile. */
  settle: () => Promise<void>
  /** Whether there has been a snapshot: then there must be one. */
  readonly hasSnapshot: boolean
}

/** Bytes that a journal may have before it is turned into a snapshot, however small that is. */
const smallestJournal = 1_000_000

/**
 * The names of the files. While a snapshot is written, what it is going to hold is still in the old journal, which is
 * set aside until the snapshot is in place; and what happens meanwhile is in the new one.
 */
export function filesOf(file: string): { snapshot: string; journal: string; aside: string } {
  return { snapshot: file, journal: `${file}.journal`, aside: `${file}.journal.old` }
}

/** What a compaction works with. */
export interface CompactionParts {
  readonly file: string
  readonly journal: Journal
  /** Takes down the state of all models at the moment it is called. */
  readonly capture: () => readonly ModelSnapshot[]
  /** Bytes of the snapshot that there is. */
  readonly snapshotSize: number
}

/** Makes the compaction of one data file. */
export function createCompaction(parts: CompactionParts): Compaction {
  let { snapshotSize } = parts
  let current: Promise<void> | undefined

  const start = async (): Promise<void> => {
    try {
      snapshotSize = await compact(parts)
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
      if (current !== undefined || parts.journal.size <= Math.max(smallestJournal, snapshotSize)) return
      current = start()
      void settle()
    },
    async run() {
      await settle()
      current = start()
      await current
    },
    settle,
    get hasSnapshot() {
      return snapshotSize > 0
    }
  }
}

async function compact(parts: CompactionParts): Promise<number> {
  const { file, journal, capture } = parts
  const { aside } = filesOf(file)
  // An earlier snapshot failed or its process died: the next one takes that journal in before another is set aside.
  if (existsSync(aside)) await replaceSnapshot(parts, capture())
  let models: readonly ModelSnapshot[] = []
  await journal.rotate(aside, () => {
    models = capture()
  })
  return replaceSnapshot(parts, models)
}

async function replaceSnapshot({ file, journal }: CompactionParts, models: readonly ModelSnapshot[]): Promise<number> {
  const { snapshot, aside } = filesOf(file)
  // What was captured may hold changes that are still on their way to the journal, and undone when they do not arrive.
  await journal.flush()
  const size = await writeSnapshot(snapshot, models)
  await rm(aside, { force: true })
  return size
}
