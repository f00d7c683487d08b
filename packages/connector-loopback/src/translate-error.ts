import { ApiError, DataSourceUnavailable, DuplicateKey } from '@modelwire/core'
import { AccessRefused, type ModelType, type Row } from '@modelwire/core/connector'
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

/** The property whose value exists already, as far as the database reports it; else the id. */
function duplicateKey(cause: Error, { model, row }: FailedCall): Error {
  const name = duplicateProperty(cause, model) ?? model?.idProperty?.name ?? 'id'
  const error = new DuplicateKey(model?.name ?? 'the model', name, row?.[name])
  Object.defineProperty(error, 'cause', { value: cause })
  return error
}

function duplicateProperty(cause: Error, model: ModelType | undefined): string | undefined {
  const pattern = partOf(cause, 'keyPattern')
  const [field] = isObject(pattern) ? Object.keys(pattern) : []
  // Key (code)=(x) already exists · for key 'code' · index: code_1
  const detail = `${String(partOf(cause, 'detail') ?? '')} ${cause.message}`
  const column = field ?? /Key \("?([^")]+)"?\)=/.exec(detail)?.[1] ?? /for key '(?:\w+\.)?(\w+)'/.exec(detail)?.[1]
  return model?.properties.find(({ name }) => name.toLowerCase() === column?.toLowerCase())?.name
}
