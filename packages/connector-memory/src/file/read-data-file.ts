import { readFile } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { isPlainObject } from '@modelwire/server'
import { DataFileBroken, DataFileUnusable } from '../errors.ts'
import { applyEntry, recordsOf, type FileData, type JournalEntry } from './file-data.ts'
import { readEntries, readValue, skipSpace, readLine } from './journal-line.ts'
import type { SnapshotMark } from './write-snapshot.ts'

/**
 * Reads a snapshot: `{ ids: { Model: next }, models: { Model: { id: "json text" } } }`, LoopBack 3's own form. A missing
 * file is an empty snapshot; an empty one means that data was lost.
 * @throws {DataFileBroken} it is anything else
 * @throws {DataFileUnusable} it cannot be read
 * @see LoopBack 3, memory connector with the setting `file`
 */
export async function readSnapshot(file: string): Promise<{ data: FileData; mark: SnapshotMark }> {
  const bytes = await readIfThere(file)
  const data: FileData = { ids: new Map(), models: new Map() }
  if (bytes === undefined) return { data, mark: { size: 0, checksum: 0 } }
  const start = skipSpace(bytes, hasByteOrderMark(bytes) ? byteOrderMark.length : 0)
  if (start === bytes.length) {
    throw new DataFileBroken('the data file is empty; delete it to start without records', { file })
  }
  try {
    const end = skipSpace(bytes, readParts(bytes, start, data, file))
    if (end < bytes.length) throw new SyntaxError(`unexpected data at byte ${end}`)
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    throw new DataFileBroken('the data file is not valid JSON; it was not changed', { file }, { cause })
  }
  return { data, mark: { size: bytes.length, checksum: crc32(bytes) } }
}

const byteOrderMark = Buffer.from('\uFEFF')
const hasByteOrderMark = (bytes: Buffer): boolean => bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark)

function readParts(bytes: Buffer, start: number, data: FileData, file: string): number {
  return readObjectAt(bytes, start, { file, key: 'file' }, (part, at) => {
    if (part === 'models' && !isNull(bytes, at)) {
      return readObjectAt(bytes, at, { file, key: 'models' }, (model, from) =>
        readRecords(bytes, from, data, model, file)
      )
    }
    const { value, end } = readValue(bytes, at)
    if (part === 'ids') readNextIds(value ?? {}, data, file)
    return end
  })
}

function readNextIds(value: unknown, data: FileData, file: string): void {
  for (const [model, next] of Object.entries(readObject(value, { file, key: 'ids' })))
    data.ids.set(model, Number(next) || 1)
}

function readRecords(bytes: Buffer, start: number, data: FileData, model: string, file: string): number {
  const target = recordsOf(data, model)
  return readObjectAt(bytes, start, { file, key: model }, (key, at) => {
    const { value, end } = readValue(bytes, at)
    if (typeof value !== 'string') throw new DataFileBroken(`record ${key} of ${model} is not a JSON string`, { file })
    target.set(key, value)
    return end
  })
}

const isNull = (bytes: Buffer, at: number): boolean => bytes.toString('latin1', at, at + 4) === 'null'

/** The location of a value, for the error. */
interface Place {
  readonly file: string
  readonly key: string
}

function readObjectAt(bytes: Buffer, at: number, place: Place, visit: (key: string, at: number) => number): number {
  if (bytes[at] !== brace) readObject(readValue(bytes, at).value, place)
  return readEntries(bytes, at, visit)
}

/** The contents of a journal. */
interface Replayed {
  /** Bytes of its complete lines. */
  readonly size: number
  /** The number of its last line. */
  readonly number: number
  /** The snapshot that the process left beside the journal, if it ended properly. */
  readonly left: SnapshotMark | undefined
}

/** The line that ends a journal which a process leaves beside a snapshot: without it the journal is of a process that died. */
export const endLine = ({ size, checksum }: SnapshotMark): string => JSON.stringify({ snapshot: { size, checksum } })

/**
 * Applies the lines of a journal. Anything after the last newline was never acknowledged and is ignored.
 * @throws {DataFileBroken} a line is damaged or missing
 * @throws {DataFileUnusable} it cannot be read
 */
export async function replayJournal(file: string, data: FileData): Promise<Replayed> {
  const bytes = (await readIfThere(file)) ?? Buffer.alloc(0)
  let [start, line, number] = [0, 1, 0]
  let left: SnapshotMark | undefined
  for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
    const found = readLine(bytes.toString('utf8', start, end))
    const value = found && parse(found.json)
    left = readEnd(value)
    const entries = left === undefined ? entriesOf(value) : []
    if (entries === undefined) throw brokenLine(file, line, 'is damaged')
    // Lines of earlier versions, without numbers, may stand before the others.
    const isNext = found?.number === undefined ? number === 0 : found.number === number + 1
    if (!isNext) throw brokenLine(file, line, `should have number ${number + 1}: lines before it are missing`)
    for (const entry of entries) applyEntry(data, entry)
    number = found?.number ?? 0
    start = end + 1
    line++
  }
  return { size: start, number, left }
}

const brokenLine = (file: string, line: number, what: string): DataFileBroken =>
  new DataFileBroken(`line ${line} of the journal ${what}`, { file, key: `line ${line}` })

const newline = 10
const brace = 0x7b

async function readIfThere(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file)
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
    throw new DataFileUnusable('the data file cannot be read', { file }, { cause })
  }
}

function readObject(value: unknown, { file, key }: Place): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new DataFileBroken('the data file does not have the form of a memory data source', { file, key })
  }
  // JSON has no other objects.
  return value as Record<string, unknown>
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** The changes of one line: those of a transaction with several models stand in a list. */
function entriesOf(value: unknown): readonly JournalEntry[] | undefined {
  if (isEntry(value)) return [value]
  if (typeof value !== 'object' || value === null || !('entries' in value)) return undefined
  const { entries } = value
  return Array.isArray(entries) && entries.every(isEntry) ? entries : undefined
}

function readEnd(value: unknown): SnapshotMark | undefined {
  if (!isPlainObject(value) || !isPlainObject(value['snapshot'])) return undefined
  const { size, checksum } = value['snapshot']
  return typeof size === 'number' && typeof checksum === 'number' ? { size, checksum } : undefined
}

function isEntry(value: unknown): value is JournalEntry {
  if (typeof value !== 'object' || value === null || !('model' in value && 'puts' in value && 'deletes' in value))
    return false
  return typeof value.model === 'string' && Array.isArray(value.puts) && Array.isArray(value.deletes)
}
