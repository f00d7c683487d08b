/** Options of an `ApiError` in addition to its message. */
export interface ApiErrorOptions {
  cause?: unknown
  details?: unknown
}

/** The response for a custom error of the application. */
export interface AppErrorOptions extends ApiErrorOptions {
  /** The HTTP status, 400 to 599. */
  readonly statusCode: number
  /** A code for programs, such as `ROOM_TAKEN`: keep it when the message changes. */
  readonly code: string
}

/** The common facts of a class's errors. docs/errors.md is generated from these and from the docstrings of the classes. */
export interface ErrorFacts {
  readonly code: string
  readonly statusCode?: number
  readonly hidesCode?: boolean
}

/** The facts that the errors of a base class do not have yet. */
type MissingFacts<Thrown> = {
  readonly [
    Fact in keyof Thrown & ('statusCode' | 'status' | 'error') as string extends Thrown[Fact]
      ? Fact
      : number extends Thrown[Fact]
        ? Fact
        : never
  ]: Thrown[Fact]
}

/** A class of errors like those of `Base` with `facts`: the result of `ApiError.with` and `DefinitionError.with`. */
export function withFacts<Arguments extends unknown[], Thrown, Facts>(
  Base: abstract new (...args: Arguments) => Thrown,
  facts: Facts
): new (...args: Arguments) => Thrown & Readonly<Facts>
// A class that extends a type parameter has no type of its own: the signature above says what it is.
export function withFacts(Base: abstract new (...args: never[]) => Error, facts: object): unknown {
  return class extends Base {
    constructor(...args: never[]) {
      super(...args)
      Object.assign(this, facts)
    }
  }
}

/**
 * Base of every error that a caller can cause. `code` is part of the API and never changes; `statusCode` is the HTTP
 * status that `rest` returns.
 *
 * Created without a stack trace: these errors are regular responses, and capturing a stack costs more than producing the
 * response.
 * @example
 * ```ts
 * import { ApiError } from '@modelwire/core'
 *
 * app.models.Product.observe('before delete', () => {
 *   throw ApiError.of('the shop is open', { statusCode: 409, code: 'SHOP_OPEN' })
 * })
 * await app.models.Product.destroyAll().catch(({ code }) => console.log(code)) // SHOP_OPEN
 * ```
 */
export abstract class ApiError extends Error {
  abstract readonly code: string
  abstract readonly statusCode: number
  /** Facts for the client, shown in the error body. */
  readonly details?: unknown
  /** LB3: errors that LoopBack 3 sends without a `code` are also sent without it if `hidesOwnCodes` holds. */
  readonly hidesCode: boolean = false

  constructor(message: string, options: ApiErrorOptions = {}) {
    const limit = Error.stackTraceLimit
    Error.stackTraceLimit = 0
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    Error.stackTraceLimit = limit
    this.name = 'Error'
    if (options.details !== undefined) this.details = options.details
  }

  /**
   * Makes a custom error of the application, to be thrown: the response has its status, code, message and details.
   * @example throw ApiError.of('the room is taken', { statusCode: 409, code: 'ROOM_TAKEN', details: { until: '10:00' } })
   */
  static of(message: string, options: AppErrorOptions): ApiError {
    return new AppError(message, options)
  }

  /**
   * Makes a class to extend, so that a class of errors is one statement; also works on classes that extend `ApiError`.
   * @example export class RoomTaken extends ApiError.with({ code: 'ROOM_TAKEN', statusCode: 409 }) {}
   */
  static with<
    Arguments extends unknown[],
    Thrown extends ApiError,
    const Facts extends ErrorFacts & MissingFacts<Thrown>
  >(
    this: abstract new (...args: Arguments) => Thrown,
    facts: Facts
  ): new (...args: Arguments) => Thrown & Readonly<Facts> {
    return withFacts(this, facts)
  }

  /** The JSON of a script's response with the error itself: its facts, as in LoopBack's errors. */
  toJSON(): Record<string, unknown> {
    const { hidesCode: _hidesCode, name, ...facts } = this
    return name === 'Error' ? facts : { name, ...facts }
  }
}

/** An error that the application describes. */
class AppError extends ApiError {
  override readonly code: string
  override readonly statusCode: number
  constructor(message: string, { statusCode, code, ...options }: AppErrorOptions) {
    super(message, options)
    this.code = code
    this.statusCode = statusCode
  }
}

/**
 * An error in the application's own definitions. Thrown while the application is built, never per request. `file` and `key`
 * locate it, if known.
 * @example
 * ```ts
 * import { DefinitionError } from '@modelwire/core'
 *
 * try {
 *   app.models.define({ name: 'Note', base: 'Nothing' })
 * } catch (error) {
 *   if (error instanceof DefinitionError) console.log(error.code, error.where.key) // BASE_MODEL_UNKNOWN base
 * }
 * ```
 */
export abstract class DefinitionError extends Error {
  abstract readonly code: string
  readonly statusCode = 500
  readonly where: { model?: string; file?: string; key?: string }
  constructor(message: string, where: { model?: string; file?: string; key?: string } = {}, options?: ErrorOptions) {
    const place = [where.file, where.model && `model ${where.model}`, where.key && `key ${where.key}`]
      .filter(Boolean)
      .join(', ')
    super(place ? `${message} (${place})` : message, options)
    this.where = where
    this.name = new.target.name
  }

  /**
   * Makes a class to extend, so that a class of errors is one statement; also works on classes that extend
   * `DefinitionError`.
   * @example export class UnknownModel extends DefinitionError.with({ code: 'MODEL_UNKNOWN' }) {}
   */
  static with<
    Arguments extends unknown[],
    Thrown extends DefinitionError,
    const Facts extends { readonly code: string }
  >(
    this: abstract new (...args: Arguments) => Thrown,
    facts: Facts
  ): new (...args: Arguments) => Thrown & Readonly<Facts> {
    return withFacts(this, facts)
  }
}

/** An option of a plugin, connector or validation rule, which `where.key` names, is unknown or malformed. */
export class InvalidOption extends DefinitionError.with({ code: 'OPTION_INVALID' }) {}
/** `readEnvironment` finds variables that are missing or malformed; the message names all of them. */
export class EnvironmentInvalid extends DefinitionError.with({ code: 'ENVIRONMENT_INVALID' }) {}
/** The shared state (Redis) is unavailable, and the request requires something that may happen only once. */
export class SharedStateUnavailable extends ApiError.with({ code: 'SHARED_STATE_UNAVAILABLE', statusCode: 503 }) {}
