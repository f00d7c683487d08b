import { readFile } from 'node:fs/promises'
import { DataFileBroken, DataFileUnusable } from '../errors.ts'
import { applyEntry, recordsOf } from './file-data.ts'
import type { FileData, JournalEntry } from './file-data.ts'

/**
 * Reads a snapshot: `{ ids: { Model: next }, models: { Model: { id: "json text" } } }`, LoopBack 3's own form. A missing
 * or empty file holds nothing.
 * @throws {DataFileBroken} it is anything else
 * @throws {DataFileUnusable} it cannot be read
 * @see LoopBack 3, memory connector with the setting `file`
 */
export async function readSnapshot(file: string): Promise<{ data: FileData; size: number }> {
  const bytes = await readIfThere(file)
  const text = bytes.toString().trim()
  const data: FileData = { ids: new Map(), models: new Map() }
  if (text === '') return { data, size: 0 }
  const { ids, models } = readObject(parse(text, file), file, 'file')
  for (const [model, next] of Object.entries(readObject(ids ?? {}, file, 'ids'))) data.ids.set(model, Number(next) || 1)
  for (const [model, records] of Object.entries(readObject(models ?? {}, file, 'models'))) {
    readRecords(data, model, readObject(records, file, model), file)
  }
  return { data, size: bytes.length }
}

/**
 * Carries out the lines of a journal and returns how many bytes of it are whole. A last line that is not whole was never
 * acknowledged and is left out.
 * @throws {DataFileBroken} a line before the last one is not whole
 * @throws {DataFileUnusable} it cannot be read
 */
export async function replayJournal(file: string, data: FileData): Promise<number> {
  const bytes = await readIfThere(file)
  let start = 0
  for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
    const entry = readEntry(bytes.toString('utf8', start, end))
    const isLast = bytes.indexOf(newline, end + 1) < 0
    if (entry === undefined && isLast) return start
    if (entry === undefined) throw new DataFileBroken(`the journal is damaged at byte ${start}`, { file })
    applyEntry(data, entry)
    start = end + 1
  }
  return start
}

const newline = 10

function readRecords(data: FileData, model: string, records: Record<string, unknown>, file: string): void {
  const target = recordsOf(data, model)
  for (const [key, record] of Object.entries(records)) {
    if (typeof record !== 'string') throw new DataFileBroken(`record ${key} of ${model} is not a JSON text`, { file })
    target.set(key, record)
  }
}

async function readIfThere(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return Buffer.alloc(0)
    throw new DataFileUnusable('the data file cannot be read', { file }, { cause })
  }
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new DataFileBroken('the data file is not JSON; it is left as it is', { file }, { cause })
  }
}

function readObject(value: unknown, file: string, key: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new DataFileBroken('the data file does not have the form of a memory data source', { file, key })
  }
  // JSON has no other objects.
  return value as Record<string, unknown>
}

function readEntry(line: string): JournalEntry | undefined {
  try {
    const entry: unknown = JSON.parse(line)
    return isEntry(entry) ? entry : undefined
  } catch {
    return undefined
  }
}

function isEntry(value: unknown): value is JournalEntry {
  if (typeof value !== 'object' || value === null || !('model' in value && 'puts' in value && 'deletes' in value))
    return false
  return typeof value.model === 'string' && Array.isArray(value.puts) && Array.isArray(value.deletes)
}
