import { ApiError } from '@modelwire/core'
import { type LogEntry, LogPositionUnknown, type Row } from '@modelwire/core/connector'
import { isSecretField } from '@modelwire/server'
import type { ChangeStreamDocument, Timestamp } from 'mongodb'
import { decodeRow, type DocumentMap } from '../document/document-map.ts'
import { idField } from '../names/read-mapping.ts'
import { changeKinds } from '../client/own-writes.ts'
import { type LogPlace, readToken } from './log-places.ts'

/** An entry whose position is not encoded yet. */
export interface PlacedEntry extends Omit<LogEntry, 'position'> {
  readonly place: LogPlace
}

/** The dependencies for creating entries. */
export interface EntryParts {
  /** The models that log their changes. */
  readonly maps: readonly DocumentMap[]
  /** The server keeps pre-images and post-images: a missing one means that it was removed. */
  readonly hasImages: boolean
}

/**
 * The entries of a change: one per model that has the record, sorted by name.
 * @throws {LogPositionUnknown} the server does not have the record any more as it was
 */
export function entriesOf({ maps, hasImages }: EntryParts, event: ChangeStreamDocument): readonly PlacedEntry[] {
  const kind = changeKinds[event.operationType]
  const token = readToken(event['_id'])
  if (kind === undefined || token === undefined || !('documentKey' in event)) return []
  const { ns, clusterTime } = event
  const document = documentOf(event)
  if (document === undefined && hasImages)
    throw new LogPositionUnknown('the server has removed the records of changes after the position')
  const rows = maps.flatMap((map) => {
    const row = map.collection === ns.coll ? rowOf(map, event, document) : undefined
    return row === undefined ? [] : [{ model: map.model.name, row }]
  })
  const at = timeOf(event)
  return rows.map(({ model, row }, index) => {
    const isLast = index === rows.length - 1 || clusterTime === undefined
    return {
      model,
      kind,
      at,
      row,
      place: isLast ? { token } : { token, within: { passed: index + 1, time: clusterTime } }
    }
  })
}

/** The record after the change; as it was, of a removal. */
function documentOf(event: ChangeStreamDocument): object | undefined {
  const member = event.operationType === 'delete' ? 'fullDocumentBeforeChange' : 'fullDocument'
  const document: unknown = Reflect.get(event, member)
  return typeof document === 'object' && document !== null ? document : undefined
}

/**
 * Undefined for an update of a record that is gone by now, on servers that do not keep it as it was, and for one that cannot be read:
 * it must not keep readers from all that follows.
 */
function rowOf(map: DocumentMap, event: ChangeStreamDocument, document: object | undefined): Row | undefined {
  if (document === undefined) return event.operationType === 'delete' ? idOf(map, event) : undefined
  try {
    return withoutSecrets(decodeRow(map, document))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const message = `a change of ${map.model.name} is missing from the log: ${error.message}`
    process.emitWarning(message, { code: 'MODELWIRE_CHANGE_UNREADABLE' })
    return undefined
  }
}

function idOf({ id }: DocumentMap, event: ChangeStreamDocument): Row {
  const key: unknown = 'documentKey' in event ? event.documentKey[idField] : undefined
  return { [id?.property.name ?? 'id']: id?.decode(key) }
}

/** Those are kept in their record alone. */
const withoutSecrets = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !isSecretField(name)))

/** Servers before version 6 know the second alone. */
function timeOf({ wallTime, clusterTime }: { wallTime?: Date; clusterTime?: Timestamp }): Date {
  return wallTime ?? new Date((clusterTime?.getHighBitsUnsigned() ?? 0) * 1000)
}
