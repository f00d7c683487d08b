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

/** Makes the compaction of one data file. `capture` takes down the state of all models at the moment it is called. */
export function createCompaction(
  file: string,
  journal: Journal,
  capture: () => readonly ModelSnapshot[],
  firstSize: number
): Compaction {
  const { snapshot, aside } = filesOf(file)
  let snapshotSize = firstSize
  let current: Promise<void> | undefined

  const replace = async (models: readonly ModelSnapshot[]): Promise<void> => {
    snapshotSize = await writeSnapshot(snapshot, models)
    await rm(aside, { force: true })
  }
  const compact = async (): Promise<void> => {
    // An earlier snapshot failed or its process died: the next one takes that journal in before another is set aside.
    if (existsSync(aside)) await replace(capture())
    let models: readonly ModelSnapshot[] = []
    await journal.rotate(aside, () => {
      models = capture()
    })
    await replace(models)
  }
  const settle = async (): Promise<void> => {
    try {
      await current
    } catch {
      // The journals still hold everything. The next compaction, or the one at the end, tells what is wrong.
    }
  }
  const start = async (): Promise<void> => {
    try {
      await compact()
    } finally {
      current = undefined
    }
  }
  const startNew = (): Promise<void> => {
    current = start()
    return current
  }
  return {
    startWhenDue() {
      if (current !== undefined || journal.size <= Math.max(smallestJournal, snapshotSize)) return
      void startNew()
      void settle()
    },
    async run() {
      await settle()
      await startNew()
    },
    settle
  }
}
