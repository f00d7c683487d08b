import { ApiError, DataSourceUnavailable, DuplicateKey } from '@modelwire/core'
import { AccessRefused, type ModelType, type Row, type TakenKey, uniqueIndexesOf } from '@modelwire/core/connector'
import { ConnectorFailed, ConstraintViolated, TransactionConflict, ValueRefused } from './errors.ts'
import { isObject, partOf } from './juggler/driver.ts'

/** The context of a failed call. */
export interface FailedCall {
  readonly connector: string
  readonly model?: ModelType | undefined
  readonly row?: Row | undefined
}

type MakeError = (cause: Error, call: FailedCall) => Error

/** Codes of databases: the states of SQL, the numbers of MySQL and those of MongoDB. */
const byCode: readonly (readonly [codes: RegExp, make: MakeError])[] = [
  [/^(?:23505|ER_DUP_ENTRY|11000|11001|SQLITE_CONSTRAINT_(?:UNIQUE|PRIMARYKEY))$/, duplicateKey],
  [
    /^(?:23\d{3}|ER_NO_REFERENCED_ROW(?:_2)?|ER_ROW_IS_REFERENCED(?:_2)?|ER_BAD_NULL_ERROR|SQLITE_CONSTRAINT\w*)$/,
    (cause) => new ConstraintViolated('the record violates a constraint of the database', { cause })
  ],
  [
    /^(?:22\w{3}|ER_DATA_TOO_LONG|ER_WARN_DATA_OUT_OF_RANGE|ER_TRUNCATED_WRONG_VALUE\w*)$/,
    (cause) => new ValueRefused('a value does not fit its column', { cause })
  ],
  [
    /^(?:40001|40P01|ER_LOCK_DEADLOCK|ER_LOCK_WAIT_TIMEOUT)$/,
    (cause) => new TransactionConflict('another transaction changed the same records', { cause })
  ],
  [/^(?:28\w{3}|ER_ACCESS_DENIED_\w+|ELOGIN|18)$/, (cause) => new AccessRefused('login', cause)],
  [/^(?:3D000|ER_BAD_DB_ERROR|ER_DBACCESS_DENIED_ERROR)$/, (cause) => new AccessRefused('database', cause)],
  [
    /^(?:08\w{3}|57P0\d|E(?:CONN|PIPE|HOST|NET|TIMEDOUT|NOTFOUND|AI_)\w*|PROTOCOL_CONNECTION_LOST|NR_CLOSED)$/,
    (cause, { connector }) =>
      new DataSourceUnavailable(`the connector ${connector} cannot connect to its database`, { cause })
  ]
]

/**
 * Converts an error that a connector called back with to a coded one. An error with a 4xx status is returned as is, as
 * LoopBack does.
 */
export function translateError(error: unknown, call: FailedCall): unknown {
  if (error instanceof ApiError || !(error instanceof Error)) return error
  const code = String(partOf(error, 'code') ?? '')
  const existing = byCode.find(([codes]) => codes.test(code))
  if (existing !== undefined) return existing[1](error, call)
  const status = Number(partOf(error, 'statusCode') ?? partOf(error, 'status'))
  if (status === 409 && error.message.startsWith('Duplicate entry')) return duplicateKey(error, call)
  if (status >= 400 && status <= 599) return error
  if (/^Mongo(?:Network|ServerSelection|Timeout)/.test(error.name))
    return new DataSourceUnavailable(`the connector ${call.connector} cannot connect to its database`, { cause: error })
  return new ConnectorFailed(`the connector ${call.connector} failed: ${error.message}`, { cause: error })
}

/** What exists already, as far as the database reports it. */
function duplicateKey(cause: Error, { model, row }: FailedCall): Error {
  return DuplicateKey.of(model?.name ?? 'the model', takenKey(cause, model), row, cause)
}

function takenKey(cause: Error, model: ModelType | undefined): TakenKey {
  const { name, columns } = namedIn(cause)
  if (model === undefined) return { index: name, properties: [] }
  const id = model.idProperty?.name
  // The connector for memory names the id alone.
  if (name === 'PRIMARY' || cause.message.startsWith('Duplicate entry for '))
    return { properties: id === undefined ? [] : [id] }
  const properties = columns.flatMap((column) => model.properties.filter((each) => isSame(each.name, column)))
  const names = properties.map((property) => property.name)
  const declared = uniqueIndexesOf(model).find(
    (index) =>
      isSame(index.name, name) || (names.length > 0 && index.properties.toSorted().join() === names.toSorted().join())
  )
  if (declared !== undefined) return { index: declared.name, properties: declared.properties }
  // On MySQL these connectors name the index of a property after it.
  const only = properties.length === 1 ? properties[0] : model.properties.find((each) => isSame(each.name, name))
  if (only?.unique === true || only?.id === true) return { properties: [only.name] }
  return { index: name, properties: names.length === columns.length ? names : [] }
}

const isSame = (one: string, other: string | undefined): boolean => one.toLowerCase() === other?.toLowerCase()

/** `Key (a, b)=(…)` · `for key 'item.code'` · `index: code_1 dup key` · `failed: Item.a, Item.b` */
function namedIn(cause: Error): { readonly name: string | undefined; readonly columns: readonly string[] } {
  const pattern = partOf(cause, 'keyPattern')
  const detail = `${String(partOf(cause, 'detail') ?? '')} ${cause.message}`
  const list = /Key \(([^)]+)\)=/.exec(detail)?.[1] ?? /UNIQUE constraint failed: (.+)$/.exec(detail)?.[1] ?? ''
  const written = list.split(', ').map((column) => column.replaceAll('"', '').replace(/^.*\./, ''))
  const columns = isObject(pattern) ? Object.keys(pattern) : written.filter((column) => column !== '')
  const constraint = partOf(cause, 'constraint')
  const named =
    /^.*for key '(?:[^'.]+\.)?([^']+)'$/s.exec(cause.message)?.[1] ?? /index: (.+?) dup key/.exec(detail)?.[1]
  return { name: typeof constraint === 'string' ? constraint : named, columns }
}
