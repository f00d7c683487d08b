import { ApiError } from '@modelwire/server'

/** The value of an argument, filter or body is invalid: the base of other errors, never thrown itself. */
export class BadRequest extends ApiError {
  override readonly code: string = 'BAD_REQUEST'
  override readonly statusCode = 400
  override readonly hidesCode: boolean = true
}

/**
 * An argument has the wrong type, or is missing though required; an id is null.
 * @example
 * ```ts
 * import { InvalidArgument } from '@modelwire/core'
 *
 * const error = await app.models.Product.findById(null).catch((error: unknown) => error)
 * if (error instanceof InvalidArgument) console.log(error.statusCode) // 400
 * ```
 */
export class InvalidArgument extends BadRequest {
  override readonly code: string = 'INVALID_ARGUMENT'
}

/**
 * A part of a filter or `where` is malformed, an operator is unknown, or related records cannot be queried in this way.
 * @example
 * ```ts
 * import { InvalidFilter } from '@modelwire/core'
 *
 * const fromUser = JSON.parse('{"where":{"price":{"below":5}}}')
 * const error = await app.models.Product.find(fromUser).catch((error: unknown) => error)
 * if (error instanceof InvalidFilter) console.log(error.code) // INVALID_FILTER
 * ```
 */
export class InvalidFilter extends BadRequest {
  override readonly code: string = 'INVALID_FILTER'
}

/** `after` or `before` of a filter is not a cursor of a list in this order, or both are given: start again with the first page. */
export class InvalidCursor extends BadRequest.with({ code: 'INVALID_CURSOR', hidesCode: false }) {}
/**
 * A read or a write names an id that several records have: the table's primary key has more columns than the model's id. Use
 * `find`, `updateAll` or `destroyAll` with a condition that names these, too, or write with the record itself.
 */
export class KeyIncomplete extends ApiError.with({ code: 'KEY_INCOMPLETE', statusCode: 409 }) {}
/** A page by cursor would end between records of the same id, and the next one would miss some: the key of their table has more columns than the model declares or the client may see. Page with `skip`. */
export class CursorAmbiguous extends ApiError.with({ code: 'CURSOR_AMBIGUOUS', statusCode: 409 }) {}
/** The change would affect more records than `Prefer: max-affected` allows; nothing was changed. */
export class TooManyAffected extends BadRequest.with({ code: 'TOO_MANY_AFFECTED', hidesCode: false }) {}
/** A client filters (not in `compat` mode) or orders by a hidden property. */
export class HiddenPropertyInFilter extends BadRequest.with({ code: 'HIDDEN_PROPERTY_IN_FILTER', hidesCode: false }) {}
/** A condition has an operator that starts with `$`: clients never use a database's own language. `details.operators` lists them. */
export class OperatorNotAllowed extends BadRequest.with({ code: 'OPERATOR_NOT_ALLOWED_IN_QUERY', hidesCode: false }) {}
/** A filter, query string, list or body exceeds a limit: request less, or raise `query`, `json`, `urlencoded` or `xml` of `rest`. */
export class LimitExceeded extends BadRequest.with({ code: 'LIMIT_EXCEEDED', hidesCode: false }) {}
/** A regular expression or `like` is invalid, or cannot be matched in linear time (look-around, back-references). */
export class InvalidPattern extends BadRequest.with({ code: 'INVALID_PATTERN' }) {}

/**
 * A value cannot be converted to the declared type, and no validation can report it, such as a record where a list is
 * declared.
 */
export class InvalidValue extends BadRequest {
  override readonly code: string = 'INVALID_VALUE'
}

/**
 * Data has a name of JavaScript's object model, such as `__proto__`, or one that the connector cannot store: with LoopBack's
 * connectors for documents, one that starts with `$`, has a dot, or is the column of another property.
 */
export class NameRefused extends BadRequest.with({ code: 'PROPERTY_NAME_REFUSED', hidesCode: false }) {}
/** Text in a body, form or query is not well-formed Unicode: it contains a lone surrogate, or bytes that are not UTF-8. */
export class MalformedText extends BadRequest.with({ code: 'TEXT_NOT_WELL_FORMED', hidesCode: false }) {}
/** The id in the body differs from the id of the addressed record: leave it out. */
export class IdMismatch extends BadRequest.with({ code: 'ID_MISMATCH' }) {}
/** `upsertWithWhere` matches more than one record: narrow `where`, or use `updateAll`. */
export class SeveralMatches extends BadRequest.with({ code: 'SEVERAL_MATCHES' }) {}
/** An aggregate request is malformed, or names an unknown property or one that cannot be aggregated or grouped. */
export class InvalidAggregate extends BadRequest.with({ code: 'INVALID_AGGREGATE', hidesCode: false }) {}
/** A client aggregates or groups by a property that the model's setting `aggregate` does not list. */
export class AggregateNotAllowed extends BadRequest.with({ code: 'AGGREGATE_NOT_ALLOWED', hidesCode: false }) {}

/**
 * No record has the id, or none matches `findOne`.
 * @example
 * ```ts
 * import { ModelNotFound } from '@modelwire/core'
 *
 * async function priceOf(id: number) {
 *   const product = await app.models.Product.findById(id)
 *   if (product === null) throw new ModelNotFound(`no product ${id}`)
 *   return product.price
 * }
 * await priceOf(99).catch(({ statusCode }) => console.log(statusCode)) // 404
 * ```
 */
export class ModelNotFound extends ApiError.with({ code: 'MODEL_NOT_FOUND', statusCode: 404 }) {
  /** Shown next to `statusCode` with `debug`, as in LoopBack. */
  declare status?: number
}

/**
 * No record has the id that a replacement, save or upsert addresses.
 * @example
 * ```ts
 * import { RecordNotFound } from '@modelwire/core'
 *
 * const change = app.models.Product.replaceById(99, { name: 'Chair', price: 60 })
 * const error = await change.catch((error: unknown) => error)
 * if (error instanceof RecordNotFound) console.log(error.statusCode) // 404
 * ```
 */
export class RecordNotFound extends ApiError.with({ code: 'RECORD_NOT_FOUND', statusCode: 404, hidesCode: true }) {}
/** What another record has already: the values of properties, and the unique index over them if it has a name. */
export interface TakenKey {
  /** The name in the model's `indexes`, or in the database if no model declares the index. */
  readonly index?: string | undefined
  /** The names of the properties; none if they are unknown. */
  readonly properties: readonly string[]
}

/**
 * A record with this id, this value of a unique property, or these values of a unique index exists: `details` has the
 * names of the `index`, unless it is that of one property, and of the `properties`.
 * @example
 * ```ts
 * import { DuplicateKey } from '@modelwire/core'
 *
 * const error = await app.models.Product.create({ id: 1, name: 'Chair', price: 60 }).catch(
 *   (error: unknown) => error
 * )
 * if (error instanceof DuplicateKey) console.log(error.model, error.property, error.value) // Product id 1
 * ```
 */
export class DuplicateKey extends ApiError.with({
  code: 'DUPLICATE_KEY',
  statusCode: 409,
  status: 409,
  hidesCode: true
}) {
  declare readonly details: TakenKey
  readonly model: string
  /** The property; several are joined by commas. */
  readonly property: string
  readonly value: unknown
  constructor(model: string, taken: string | TakenKey, value?: unknown) {
    const { index, properties } = typeof taken === 'string' ? { index: undefined, properties: [taken] } : taken
    super(`${model} already has a record with ${describeKey({ index, properties }, value)}`, {
      details: { ...(index !== undefined && { index }), properties }
    })
    this.model = model
    this.property = properties.join(', ')
    this.value = value
  }

  /** The values of `key` that `row` has are taken; they are named if they are a single one. `cause` is what the database said. */
  static of(model: string, key: TakenKey, row?: Readonly<Record<string, unknown>>, cause?: unknown): DuplicateKey {
    const [only, ...more] = key.properties
    const value = only === undefined || more.length > 0 ? undefined : only.split('.').reduce(partOf, row)
    const error = new DuplicateKey(model, key, value)
    if (cause !== undefined) Object.defineProperty(error, 'cause', { value: cause })
    return error
  }
}

const partOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

function describeKey({ index, properties }: TakenKey, value: unknown): string {
  const [property, ...more] = properties
  if (property === undefined)
    return index === undefined ? 'the same unique value' : `the same values in the unique index "${index}"`
  const shown = value === undefined ? `this ${property}` : `${property} ${JSON.stringify(value)}`
  const named = index === undefined ? '' : ` (unique index "${index}")`
  return more.length === 0 ? `${shown}${named}` : `these values of ${properties.join(', ')}${named}`
}

/** The record does not have the version that the change was made for: read it again. */
export class PreconditionFailed extends ApiError.with({ code: 'PRECONDITION_FAILED', statusCode: 412 }) {}
/** The model sets `requireIfMatch`, and the change has no `If-Match`: send the `ETag` that the record was read with. */
export class PreconditionRequired extends ApiError.with({ code: 'PRECONDITION_REQUIRED', statusCode: 428 }) {}
/**
 * The model has no data source or no id, the connector cannot do this, or a declared method has no function.
 * @example
 * ```ts
 * import { NotImplemented } from '@modelwire/core'
 *
 * const Draft = app.models.define({ name: 'Draft' }) // has no data source
 * const error = await Draft.find().catch((error: unknown) => error)
 * if (error instanceof NotImplemented) console.log(error.statusCode) // 501
 * ```
 */
export class NotImplemented extends ApiError.with({ code: 'NOT_IMPLEMENTED', statusCode: 501 }) {}
/** A transaction names no data source, and several have transactions: set the option `dataSource`. */
export class AmbiguousDataSource extends ApiError.with({ code: 'DATA_SOURCE_AMBIGUOUS', statusCode: 500 }) {}
/**
 * The database refuses connections or the login, does not answer in time, is disconnected or read-only, or is not part of its
 * cluster; or no host of a list is suitable. Try again later.
 * @example
 * ```ts
 * import { DataSourceUnavailable } from '@modelwire/core'
 * import { rest } from '@modelwire/rest'
 *
 * app.models.Product.observe('access', () => {
 *   throw new DataSourceUnavailable('the warehouse is closed')
 * })
 * await app.register(rest)
 * console.log((await app.inject('/Products')).statusCode) // 503
 * ```
 */
export class DataSourceUnavailable extends ApiError.with({ code: 'DATA_SOURCE_UNAVAILABLE', statusCode: 503 }) {}
/** The position is unknown to the log of changes, or later changes were purged: read the records again, then continue from `latest()`. */
export class LogPositionUnknown extends ApiError.with({ code: 'LOG_POSITION_UNKNOWN', statusCode: 410 }) {}
/**
 * More events are queued for a reader of a change stream than `changeStreams.waiting` allows: the stream ends, rather than
 * skipping some.
 */
export class ChangeReaderTooSlow extends ApiError.with({ code: 'CHANGE_READER_TOO_SLOW', statusCode: 503 }) {}

/** Codes and messages of one property, as LoopBack's 422 body groups them. */
export interface ValidationDetails {
  context: string
  codes: Record<string, string[]>
  messages: Record<string, string[]>
}

/**
 * A record breaks rules of its model, or a value has the wrong type: `details` has `codes` and `messages` per property.
 * @see recording crud/post-bodies
 * @example
 * ```ts
 * import { ValidationError } from '@modelwire/core'
 *
 * const error = await app.models.Product.create({ name: '', price: 5 }).catch((error: unknown) => error)
 * if (error instanceof ValidationError) console.log(Object.keys(error.details.codes)) // [ 'name' ]
 * ```
 */
export class ValidationError extends ApiError.with({ code: 'VALIDATION_FAILED', statusCode: 422, hidesCode: true }) {
  declare readonly details: ValidationDetails
  constructor(details: ValidationDetails) {
    const reasons = Object.entries(details.messages).map(([name, list]) => `${name} ${list.join(', ')}`)
    super(`The ${details.context} is not valid: ${reasons.join('; ')}`, { details })
    this.name = 'ValidationError'
  }
}

/** Some records of a list are invalid, so none was stored: `details` has an error or null for each. */
export class ListNotValid extends ApiError.with({ code: 'LIST_NOT_VALID', statusCode: 422 }) {
  declare readonly details: readonly (Error | null)[]
  constructor(details: readonly (Error | null)[]) {
    super(`${details.filter(Boolean).length} of ${details.length} records are not valid; none was stored`, { details })
  }
}
