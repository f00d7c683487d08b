/** A record in the file: as text in snapshots, already parsed in journals. */
export type FileRecord = string | object

/** The contents of a data file, model by model. */
export interface FileData {
  /** The next number id of each model. */
  readonly ids: Map<string, number>
  readonly models: Map<string, Map<string, FileRecord>>
}

/** One line of the journal: what one operation did to the records of one model. */
export interface JournalEntry {
  readonly model: string
  /** Records in their new state, with their ids. */
  readonly puts: readonly (readonly [key: string, record: object])[]
  /** Ids of removed records. */
  readonly deletes: readonly string[]
  readonly nextId: number
}

/** The records of one model, created if there are none. */
export function recordsOf(data: FileData, model: string): Map<string, FileRecord> {
  const cached = data.models.get(model)
  if (cached !== undefined) return cached
  const records = new Map<string, FileRecord>()
  data.models.set(model, records)
  return records
}

/**
 * Applies a line of the journal. Doing so again changes nothing: entries contain whole records. A record may have got the key
 * that another one had before.
 */
export function applyEntry(data: FileData, entry: JournalEntry): void {
  const records = recordsOf(data, entry.model)
  for (const key of entry.deletes) records.delete(key)
  for (const [key, record] of entry.puts) records.set(key, record)
  data.ids.set(entry.model, Math.max(data.ids.get(entry.model) ?? 1, entry.nextId))
}
