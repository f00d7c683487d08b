import { readFile } from 'node:fs/promises'
import { DataFileBroken, DataFileUnusable } from '../errors.ts'
import { applyEntry, recordsOf } from './file-data.ts'
import type { FileData, JournalEntry } from './file-data.ts'
import { readLine } from './journal-line.ts'

/**
 * Reads a snapshot: `{ ids: { Model: next }, models: { Model: { id: "json text" } } }`, LoopBack 3's own form. A missing
 * file holds nothing; an empty one has lost what it held.
 * @throws {DataFileBroken} it is anything else
 * @throws {DataFileUnusable} it cannot be read
 * @see LoopBack 3, memory connector with the setting `file`
 */
export async function readSnapshot(file: string): Promise<{ data: FileData; size: number }> {
  const bytes = await readIfThere(file)
  const data: FileData = { ids: new Map(), models: new Map() }
  if (bytes === undefined) return { data, size: 0 }
  const text = bytes.toString().trim()
  if (text === '') throw new DataFileBroken('the data file is empty; delete it to begin without records', { file })
  const { ids, models } = readObject(parse(text, file), file, 'file')
  for (const [model, next] of Object.entries(readObject(ids ?? {}, file, 'ids'))) data.ids.set(model, Number(next) || 1)
  for (const [model, records] of Object.entries(readObject(models ?? {}, file, 'models'))) {
    readRecords(data, model, readObject(records, file, model), file)
  }
  return { data, size: bytes.length }
}

/** What a journal holds. */
interface Replayed {
  /** Bytes of its whole lines. */
  readonly size: number
  /** The number of its last line. */
  readonly number: number
}

/**
 * Carries out the lines of a journal. What follows the last end of a line was never acknowledged and is left out.
 * @throws {DataFileBroken} a line is damaged or missing
 * @throws {DataFileUnusable} it cannot be read
 */
export async function replayJournal(file: string, data: FileData): Promise<Replayed> {
  const bytes = (await readIfThere(file)) ?? Buffer.alloc(0)
  let [start, line, number] = [0, 1, 0]
  for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
    const found = readLine(bytes.toString('utf8', start, end))
    const entry = found && readEntry(found.json)
    if (entry === undefined) throw brokenLine(file, line, 'is damaged')
    // Lines of earlier versions, without numbers, may stand before the others.
    const isNext = found?.number === undefined ? number === 0 : found.number === number + 1
    if (!isNext) throw brokenLine(file, line, `should have number ${number + 1}: lines before it are missing`)
    applyEntry(data, entry)
    number = found?.number ?? 0
    start = end + 1
    line++
  }
  return { size: start, number }
}

const brokenLine = (file: string, line: number, what: string): DataFileBroken =>
  new DataFileBroken(`line ${line} of the journal ${what}`, { file, key: `line ${line}` })

const newline = 10

function readRecords(data: FileData, model: string, records: Record<string, unknown>, file: string): void {
  const target = recordsOf(data, model)
  for (const [key, record] of Object.entries(records)) {
    if (typeof record !== 'string') throw new DataFileBroken(`record ${key} of ${model} is not a JSON text`, { file })
    target.set(key, record)
  }
}

async function readIfThere(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file)
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
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
