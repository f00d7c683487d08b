import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { DataFileUnusable } from '../errors.ts'
import type { Table } from '../table/table.ts'
import { watchRows } from './change-lines.ts'
import { createCompaction, filesOf } from './compaction.ts'
import type { Compaction } from './compaction.ts'
import type { FileData } from './file-data.ts'
import { openJournal } from './journal.ts'
import type { Journal } from './journal.ts'
import { lockFile } from './lock-file.ts'
import type { Unlock } from './lock-file.ts'
import { readSnapshot, replayJournal } from './read-data-file.ts'
import { captureTable, fillTable } from './table-records.ts'
import type { ModelSnapshot } from './write-snapshot.ts'

/**
 * The file that keeps tables beyond the process: a snapshot of everything, in LoopBack 3's form, and a journal of what
 * happened since. A process may die at any point: there is always a whole snapshot, and whatever it lacks is in the
 * journals.
 */
export interface DataFile {
  /** Resolves when the file has what an operation did: the rows in `slots`, and the keys of removed rows. */
  record: (table: Table, slots: readonly number[], deletes: readonly string[]) => Promise<void>
  /** Resolves when the snapshot has everything and the file is free for others. */
  close: () => Promise<void>
}

/**
 * Opens a data file and fills the tables from it.
 * @throws {DataFileLocked} another connector has it open
 * @throws {DataFileBroken} it is damaged; it is left as it is
 * @throws {DataFileUnusable} it cannot be read or written
 */
export async function openDataFile(file: string, sync: boolean, tables: readonly Table[]): Promise<DataFile> {
  const unlock = await lockFile(file)
  try {
    const loaded = await load(file, tables)
    const journal = await startJournal(file, loaded.journalSize, sync)
    const capture = (): readonly ModelSnapshot[] => [...tables.map(captureTable), ...captureUnclaimed(loaded.unclaimed)]
    const compaction = createCompaction(file, journal, capture, loaded.snapshotSize)
    if (!loaded.isFaithful || existsSync(filesOf(file).aside)) await compaction.run()
    return keepOpen(file, tables, journal, compaction, unlock)
  } catch (error) {
    await unlock()
    throw error
  }
}

function keepOpen(
  file: string,
  tables: readonly Table[],
  journal: Journal,
  compaction: Compaction,
  unlock: Unlock
): DataFile {
  const writeLine = watchRows(tables)
  return {
    async record(table, slots, deletes) {
      await journal.append(writeLine(table, slots, deletes))
      compaction.startWhenDue()
    },
    async close() {
      try {
        await compaction.settle()
        if (journal.size > 0 || existsSync(filesOf(file).aside)) await compaction.run()
      } finally {
        await journal.close()
        if (journal.size === 0) await rm(filesOf(file).journal, { force: true })
        await unlock()
      }
    }
  }
}

interface Loaded {
  readonly unclaimed: FileData
  readonly snapshotSize: number
  readonly journalSize: number
  readonly isFaithful: boolean
}

async function load(file: string, tables: readonly Table[]): Promise<Loaded> {
  const { snapshot, journal, aside } = filesOf(file)
  const { data, size } = await readSnapshot(snapshot)
  await replayJournal(aside, data)
  const journalSize = await replayJournal(journal, data)
  let isFaithful = true
  for (const table of tables) {
    const { name } = table.model
    isFaithful = fillTable(table, data.models.get(name) ?? new Map(), data.ids.get(name) ?? 1, file) && isFaithful
    data.models.delete(name)
    data.ids.delete(name)
  }
  return { unclaimed: data, snapshotSize: size, journalSize, isFaithful }
}

async function startJournal(file: string, size: number, sync: boolean): Promise<Journal> {
  try {
    return await openJournal(filesOf(file).journal, size, sync)
  } catch (cause) {
    throw new DataFileUnusable('the journal of the data file cannot be written', { file }, { cause })
  }
}

/** Records of models that nobody attached are written again as they were. */
function captureUnclaimed({ models, ids }: FileData): readonly ModelSnapshot[] {
  const names = new Set([...models.keys(), ...ids.keys()])
  return [...names].map((model) => ({ model, nextId: ids.get(model) ?? 1, records: models.get(model) ?? new Map() }))
}
