import { open, rename, rm, type FileHandle } from 'node:fs/promises'
import { syncFolder } from './append-file.ts'
import type { FileRecord } from './file-data.ts'

/** The state of one model at a point in time. */
export interface ModelSnapshot {
  readonly model: string
  readonly nextId: number
  readonly records: Iterable<readonly [key: string, record: FileRecord]>
}

const recordsAtOnce = 1000

/**
 * Writes a snapshot that replaces `file` atomically, and returns its size in bytes. It yields to other work between
 * portions.
 */
export async function writeSnapshot(file: string, models: readonly ModelSnapshot[]): Promise<number> {
  const temporary = `${file}.tmp`
  try {
    const size = await writeWhole(temporary, models)
    await rename(temporary, file)
    await syncFolder(file)
    return size
  } catch (error) {
    // On a full disk its space is what the journal needs.
    await rm(temporary, { force: true })
    throw error
  }
}

async function writeWhole(path: string, models: readonly ModelSnapshot[]): Promise<number> {
  const handle = await open(path, 'w')
  try {
    for (const portion of writePortions(models)) await handle.appendFile(portion)
    await handle.sync()
    return await sizeOf(handle)
  } finally {
    await handle.close()
  }
}

async function sizeOf(handle: FileHandle): Promise<number> {
  const { size } = await handle.stat()
  return size
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
  yield portion
}
