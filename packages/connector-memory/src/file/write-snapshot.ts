import { open, rename, rm } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { syncFolder } from './append-file.ts'
import type { FileRecord } from './file-data.ts'

/** The state of one model at a point in time. */
export interface ModelSnapshot {
  readonly model: string
  readonly nextId: number
  readonly records: Iterable<readonly [key: string, record: FileRecord]>
}

/** What tells one version of the file from another. */
export interface SnapshotMark {
  /** In bytes; 0 where there is no file. */
  readonly size: number
  /** CRC-32 of the bytes. */
  readonly checksum: number
}

const recordsAtOnce = 1000

/**
 * Writes a snapshot that replaces `file` atomically, and returns its mark. It yields to other work between portions.
 */
export async function writeSnapshot(file: string, models: readonly ModelSnapshot[]): Promise<SnapshotMark> {
  const temporary = `${file}.tmp`
  try {
    const mark = await writeWhole(temporary, models)
    await rename(temporary, file)
    await syncFolder(file)
    return mark
  } catch (error) {
    // On a full disk its space is what the journal needs.
    await rm(temporary, { force: true })
    throw error
  }
}

async function writeWhole(path: string, models: readonly ModelSnapshot[]): Promise<SnapshotMark> {
  const handle = await open(path, 'w')
  let [size, checksum] = [0, 0]
  try {
    for (const portion of writePortions(models)) {
      const bytes = Buffer.from(portion)
      await handle.appendFile(bytes)
      size += bytes.length
      checksum = crc32(bytes, checksum)
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  return { size, checksum }
}

function* writePortions(models: readonly ModelSnapshot[]): Iterable<string> {
  const ids = models.map(({ model, nextId }) => `    ${JSON.stringify(model)}: ${nextId}`)
  yield `{\n  "ids": {\n${ids.join(',\n')}\n  },\n  "models": {`
  for (const [at, { model, records }] of models.entries()) {
    yield `${at === 0 ? '' : ','}\n    ${JSON.stringify(model)}: {`
    yield* writeRecords(records)
    yield '\n    }'
  }
  yield '\n  }\n}\n'
}

function* writeRecords(records: ModelSnapshot['records']): Iterable<string> {
  let portion = ''
  let count = 0
  for (const [key, record] of records) {
    const text = typeof record === 'string' ? record : JSON.stringify(record)
    portion += `${count === 0 ? '' : ','}\n      ${JSON.stringify(key)}: ${JSON.stringify(text)}`
    if (++count % recordsAtOnce !== 0) continue
    yield portion
    portion = ''
  }
  if (portion !== '') yield portion
}
