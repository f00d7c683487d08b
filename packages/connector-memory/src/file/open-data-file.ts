import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { DataFileBroken, DataFileUnusable } from '../errors.ts'
import type { Table } from '../table/table.ts'
import type { AppendFile } from './append-file.ts'
import { createChangeLines, type TableChange } from './change-lines.ts'
import { createCompaction, filesOf, type Compaction } from './compaction.ts'
import type { FileData } from './file-data.ts'
import { openJournal, type Journal, type JournalStart } from './journal.ts'
import { lockFile, type Unlock } from './lock-file.ts'
import { endLine, readSnapshot, replayJournal } from './read-data-file.ts'
import { captureTable, fillTable } from './table-records.ts'
import type { ModelSnapshot, SnapshotMark } from './write-snapshot.ts'

/**
 * The file that persists tables: a snapshot of everything, in LoopBack 3's form, and a journal of later changes. A process
 * may die at any point: there is always a complete snapshot, and any newer changes are in the journals.
 */
export interface DataFile {
  readonly holds: (table: Table) => boolean
  /**
   * Fills a table with its records and persists it from then on.
   * @throws {DataFileBroken} a record is damaged; the file is left as it is
   */
  attach: (table: Table) => void
  /** Resolves when the changes of an operation are in the file: the rows in `slots`, and the keys of removed rows. */
  record: (table: Table, slots: readonly number[], deletes: readonly string[]) => Promise<void>
  /** Resolves when changes of several tables are in the file: all of them, or none if it cannot be written. */
  recordAll: (changes: readonly TableChange[]) => Promise<void>
  /** Resolves when the file is released, with a snapshot of everything unless the journal is a small part of a large one. */
  close: () => Promise<void>
  /** Releases the file as it is. */
  abandon: () => Promise<void>
}

/** How a file is written. */
interface FileSettings {
  readonly sync: boolean
  readonly rewriteAtEnd: boolean
}

/** Milliseconds within which a write notices removed files. */
const checkInterval = 10

/** The dependencies of an open file. */
interface Parts {
  readonly file: string
  /** Records of models that are not attached: they are written back unchanged. */
  readonly unclaimed: FileData
  readonly tables: Set<Table>
  readonly journal: Journal
  readonly compaction: Compaction
  readonly unlock: Unlock
  /** The journal ends with the line of a proper end, until something is written. */
  isEnded: boolean
}

/**
 * Opens a data file.
 * @throws {DataFileLocked} another connector has it open
 * @throws {DataFileBroken} it is damaged; it is left as it is
 * @throws {DataFileUnusable} it cannot be read or written
 */
export async function openDataFile(file: string, { sync, rewriteAtEnd }: FileSettings): Promise<DataFile> {
  const unlock = await lockFile(file)
  try {
    const { data, mark } = await readSnapshot(file)
    await replayJournal(filesOf(file).aside, data)
    const replayed = await replayJournal(filesOf(file).journal, data)
    const { journal: path } = filesOf(file)
    checkLeft(path, replayed.left, mark)
    const check = throttled((current: AppendFile) => {
      if (!current.isAt(path)) throw new DataFileUnusable('the journal is gone', { file: path })
      if (compaction.snapshot.size > 0 && !existsSync(file))
        throw new DataFileUnusable('the data file is gone', { file })
    })
    const journal = await startJournal(file, { ...replayed, sync, check })
    const tables = new Set<Table>()
    const capture = (): readonly ModelSnapshot[] => [...[...tables].map(captureTable), ...captureUnclaimed(data)]
    const compaction = createCompaction({ file, journal, capture, snapshot: mark, rewriteAtEnd })
    const isEnded = replayed.left !== undefined
    return keepOpen({ file, unclaimed: data, tables, journal, compaction, unlock, isEnded })
  } catch (error) {
    await unlock()
    throw error
  }
}

function keepOpen(parts: Parts): DataFile {
  const { tables, journal, compaction } = parts
  const lines = createChangeLines()
  const recordAll: DataFile['recordAll'] = async (changes) => {
    parts.isEnded = false
    const undos = changes.map(({ table }) => lines.takeUndo(table))
    await journal.append(lines.write(changes), () => {
      for (const undo of undos) undo()
    })
    compaction.startWhenDue()
  }
  const record: DataFile['record'] = (table, slots, deletes) => recordAll([{ table, slots, deletes }])
  return {
    holds: (table) => tables.has(table),
    attach(table) {
      if (tables.has(table)) return
      const moved = claimRecords(parts, table)
      lines.watch(table)
      if (moved.length === 0) return
      // Were it not written, the keys would be put right by the next snapshot.
      void Promise.allSettled([
        record(
          table,
          moved.map(({ slot }) => slot),
          moved.map(({ oldKey }) => oldKey)
        )
      ])
    },
    record,
    recordAll,
    close: () => closeFile(parts),
    abandon: () => releaseFile(parts)
  }
}

function claimRecords({ file, unclaimed, tables }: Parts, table: Table): ReturnType<typeof fillTable> {
  const { name } = table.model
  const moved = fillTable(table, unclaimed.models.get(name) ?? new Map(), unclaimed.ids.get(name) ?? 1, file)
  tables.add(table)
  unclaimed.models.delete(name)
  unclaimed.ids.delete(name)
  return moved
}

async function closeFile(parts: Parts): Promise<void> {
  const { file, journal, compaction } = parts
  // Whoever waits for a change that cannot be written is told.
  await Promise.allSettled([journal.flush()])
  try {
    await compaction.settle()
    const isLost = compaction.snapshot.size > 0 && (!existsSync(file) || !journal.isThere)
    if (isLost || compaction.isDueAtEnd || existsSync(filesOf(file).aside)) await compaction.run()
    // Without it, which a full disk refuses, the journal is taken for that of a process that died.
    else if (journal.size > 0 && !parts.isEnded)
      await Promise.allSettled([journal.append(endLine(compaction.snapshot))])
    await compaction.settle()
  } catch (cause) {
    throw new DataFileUnusable('the snapshot could not be written; the journal keeps the changes', { file }, { cause })
  } finally {
    await releaseFile(parts)
  }
}

async function releaseFile({ file, journal, unlock }: Parts): Promise<void> {
  try {
    await journal.close()
    if (journal.size === 0) await rm(filesOf(file).journal, { force: true })
  } catch (cause) {
    throw new DataFileUnusable('the journal of the data file cannot be put on disk', { file }, { cause })
  } finally {
    await unlock()
  }
}

/**
 * A journal that a process left at its end goes with one version of the data file. Its changes would destroy those of another
 * version, such as a backup.
 * @throws {DataFileBroken} the file was replaced, changed or removed without its journal
 */
function checkLeft(journal: string, left: SnapshotMark | undefined, mark: SnapshotMark): void {
  if (left === undefined || (left.size === mark.size && left.checksum === mark.checksum)) return
  throw new DataFileBroken(
    'the journal belongs to another version of the data file: put back both together, or delete the journal to go on without its changes',
    { file: journal }
  )
}

/** Calls `check` when it last passed some milliseconds ago: looking at every write would take a third of the time of each. */
function throttled(check: (journal: AppendFile) => void): (journal: AppendFile) => void {
  let passedAt = -Infinity
  return (journal) => {
    const now = performance.now()
    if (now - passedAt < checkInterval) return
    check(journal)
    passedAt = now
  }
}

async function startJournal(file: string, start: JournalStart): Promise<Journal> {
  try {
    return await openJournal(filesOf(file).journal, start)
  } catch (cause) {
    throw new DataFileUnusable('the journal of the data file cannot be written', { file }, { cause })
  }
}

function captureUnclaimed({ models, ids }: FileData): readonly ModelSnapshot[] {
  const names = new Set([...models.keys(), ...ids.keys()])
  return [...names].map((model) => ({ model, nextId: ids.get(model) ?? 1, records: models.get(model) ?? new Map() }))
}
