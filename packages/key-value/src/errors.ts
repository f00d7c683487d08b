import { ApiError } from '@modelwire/core'

/** A key has no value, or no longer has one. */
export class KeyNotFound extends ApiError.with({ code: 'KEY_NOT_FOUND', statusCode: 404 }) {}

/** Thrown by operations on a key other than reading its value, for which LoopBack sends no code. */
export class KeyUnknown extends KeyNotFound {
  override readonly hidesCode = true
}

/** The store refuses a command, or its value cannot be read; `cause` says why. */
export class KeyValueStoreFailed extends ApiError.with({ code: 'KEY_VALUE_STORE_FAILED', statusCode: 500 }) {}
