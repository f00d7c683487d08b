import { ApiError, DataSourceUnavailable, DuplicateKey, NotImplemented } from '@modelwire/core'
import {
  AccessRefused,
  type AnswerBounds,
  AnswerTooLarge,
  ConnectionTimeout,
  ConstraintViolated,
  DatabaseFailed,
  DatabaseFull,
  InvalidPattern,
  PrivilegeMissing,
  type Row,
  StatementTimeout,
  type TakenKey,
  TransactionConflict,
  ValueRefused
} from '@modelwire/core/connector'
import {
  MongoBulkWriteError,
  MongoError,
  MongoNetworkError,
  MongoNetworkTimeoutError,
  MongoServerError,
  MongoServerSelectionError,
  MongoWriteConcernError
} from 'mongodb'
import { isPlainObject } from '@modelwire/server'
import type { DocumentMap } from '../document/document-map.ts'
import { wantedIndexes } from '../document/wanted-indexes.ts'
import { idField } from '../names/read-mapping.ts'

/** The context of a command, for errors. */
export interface FaultPlace {
  readonly map?: DocumentMap | undefined
  /** The row that was written, to report a duplicate value. */
  readonly row?: Row | undefined
  readonly signal?: AbortSignal | undefined
  readonly isRead?: boolean | undefined
  /** The limits of the response. */
  readonly atMost?: AnswerBounds | undefined
}

type MakeError = (cause: Error, place: FaultPlace) => Error

const lost: MakeError = (cause) => new DataSourceUnavailable('cannot connect to the database', { cause })
const tooOld: MakeError = (cause) =>
  new DataSourceUnavailable('the server is older than MongoDB 4.4, which the driver needs', { cause })
const notReady: MakeError = (cause) =>
  new DataSourceUnavailable('the server is not the primary of its replica set, or is shutting down', { cause })
const late: MakeError = (cause) => new StatementTimeout('the database did not answer in time', { cause })
const conflict: MakeError = (cause) =>
  new TransactionConflict('another transaction changed the same records', { cause })
const tooLarge: MakeError = (cause, { atMost, isRead }) =>
  isRead === true
    ? new AnswerTooLarge('bytes', atMost, cause)
    : new ValueRefused('the document is larger than 16 MB, or too deeply nested', { cause })

/** By the number of the server. @see https://www.mongodb.com/docs/manual/reference/error-codes/ */
const byCode: ReadonlyMap<number, MakeError> = new Map<number, MakeError>([
  ...each([11000, 11001, 12582], duplicateKey),
  ...each([121], (cause, { map }) => {
    const name = map?.model.name ?? 'record'
    return new ConstraintViolated(`the ${name} does not pass the validator of its collection`, {
      cause
    })
  }),
  // Not the primary, or no longer: nothing was done, and another server may do it.
  ...each([91, 133, 189, 10058, 10107, 11600, 11602, 13435, 13436], notReady),
  ...each([18], (cause) => new AccessRefused('login', cause, ', or its authSource is a different database')),
  // Also a cursor that went with its server.
  ...each([6, 7, 43, 89, 317, 9001], lost),
  ...each([24, 50, 64, 202, 262, 290, 11601], late),
  ...each([112, 225, 239, 246, 251, 267], conflict),
  ...each([15, 257, 10334, 17280, 17419, 17420], tooLarge),
  ...each([2, 9, 14, 28, 40, 52, 54, 55, 56, 57, 66], (cause) => {
    return new ValueRefused(`the database refuses a value: ${cause.message}`, { cause })
  }),
  ...each(
    [51091, 51108],
    (cause) => new InvalidPattern('the database does not support the regular expression', { cause })
  ),
  ...each([13], (cause, { map }) => {
    const name = map?.collection ?? 'a collection'
    return new PrivilegeMissing(`the database user lacks a privilege on ${name}`, { cause })
  }),
  ...each([14031], (cause) => new DatabaseFull('the database is out of space', { cause })),
  ...each([20, 263], (cause) => new NotImplemented(`the server does not support this: ${cause.message}`, { cause }))
])

function each(codes: readonly number[], make: MakeError): (readonly [number, MakeError])[] {
  return codes.map((code) => [code, make] as const)
}

/** The coded error for an error of the driver; errors unrelated to the database are returned as is. */
export function translateError(thrown: unknown, place: FaultPlace = {}): unknown {
  const error = unwrapped(thrown)
  if (error instanceof ApiError || !(error instanceof Error)) return error
  if (isTooLarge(error)) return tooLarge(error, place)
  if (isOfNetwork(error)) return lost(error, place)
  if (!(error instanceof MongoError)) return error
  const server = serverError(error)
  const match = typeof server.code === 'number' ? byCode.get(server.code) : undefined
  return (match ?? byKind(error))(server, place)
}

/**
 * What has no class of the driver: errors of the socket that it writes to (ECONNRESET, EPIPE, ERR_STREAM_DESTROYED),
 * and errors of the name service for a mongodb+srv address (ENOTFOUND, ESERVFAIL).
 */
const isOfNetwork = (error: Error): boolean =>
  'code' in error && /^(?:E[A-Z]+|ERR_(?:STREAM|SOCKET)_\w+)$/.test(String(error.code))

/** Where several documents are written, the driver puts what kept it from that into an error of its own. */
function unwrapped(error: unknown): unknown {
  return error instanceof MongoBulkWriteError && error.errorResponse instanceof Error ? error.errorResponse : error
}

/** Of several refused writes the first one counts. */
function serverError(error: MongoError): MongoError {
  const first: unknown = 'writeErrors' in error && Array.isArray(error.writeErrors) ? error.writeErrors[0] : undefined
  const cause: unknown = Reflect.get(Object(first), 'err') ?? first
  if (typeof cause !== 'object' || cause === null || !('code' in cause)) return error
  return new MongoServerError({ ...cause, message: error.message })
}

function byKind(error: MongoError): MakeError {
  if (error.hasErrorLabel('TransientTransactionError') && !(error instanceof MongoNetworkError)) return conflict
  if (error instanceof MongoNetworkTimeoutError) return late
  if (/wire version/.test(error.message)) return tooOld
  if (isWaiting(error))
    return (cause) => new ConnectionTimeout('no connection to the database became available in time', { cause })
  if (isConnection(error)) return lost
  if (error instanceof MongoWriteConcernError) return late
  return (cause) => new DatabaseFailed(`the database refuses the command: ${cause.message}`, { cause })
}

const isWaiting = (error: MongoError): boolean =>
  error instanceof MongoServerSelectionError || error.name === 'MongoWaitQueueTimeoutError'

const connectionNames: ReadonlySet<string> = new Set([
  'MongoNetworkError',
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'MongoTopologyClosedError',
  'MongoNotConnectedError',
  'MongoClientClosedError',
  'MongoExpiredSessionError',
  'MongoMissingCredentialsError'
])

const isConnection = (error: MongoError): boolean =>
  error instanceof MongoNetworkError || connectionNames.has(error.name)

/** The driver writes documents into memory of a fixed size before a server sees them. */
const isTooLarge = (error: Error): boolean =>
  (error instanceof RangeError && /out of (?:range|bounds)|buffer/i.test(error.message)) ||
  /^(?:Document is larger than|BSONObj size|document is larger than)/i.test(error.message)

/** What exists already, by the index: its name in the model, or in the database if no model declares it. */
function duplicateKey(cause: Error, { map, row }: FaultPlace): Error {
  const key = map === undefined ? { properties: [] } : takenKey(map, cause)
  return DuplicateKey.of(map?.model.name ?? 'the model', key, row, cause)
}

function takenKey(map: DocumentMap, cause: Error): TakenKey {
  const pattern: unknown = Reflect.get(cause, 'keyPattern')
  // Of several writes the driver keeps the message alone.
  const name = /index: (.+?) dup key/s.exec(cause.message)?.[1]
  const fields = isPlainObject(pattern) ? Object.keys(pattern) : undefined
  if (name === '_id_' || fields?.join() === idField) return { properties: [map.id?.property.name ?? idField] }
  const wanted = wantedIndexes(map).filter(({ options }) => options['unique'] === true)
  const known =
    wanted.find((index) => index.name === name) ?? wanted.find(({ key }) => Object.keys(key).join() === fields?.join())
  const properties = (fields ?? Object.keys(known?.key ?? {})).map((path) => propertyPath(map, path))
  return { index: known === undefined ? name : known.declared, properties }
}

function propertyPath({ fields, id }: DocumentMap, path: string): string {
  const [name = '', ...below] = path.split('.')
  const found = name === idField ? id : fields.find((field) => field.name === name)
  return [found?.property.name ?? name, ...below].join('.')
}
