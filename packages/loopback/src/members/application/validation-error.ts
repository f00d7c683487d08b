import { ScriptArgumentInvalid } from '../../errors.ts'
import { Model, ValidationError } from '@modelwire/core'
import { typeOf } from '@modelwire/core/plugin'

/** Codes and messages as `record.isValid()` left them. */
function detailsOf(record: Model): {
  context: string
  codes: Record<string, string[]>
  messages: Record<string, string[]>
} {
  const errors: unknown = Reflect.get(record, 'errors')
  const context = typeOf(record).name
  if (typeof errors !== 'object' || errors === null) return { context, codes: {}, messages: {} }
  const { codes = {}, ...messages } = errors as { codes?: Record<string, string[]> } // `isValid` makes it
  return { context, codes, messages }
}

/** `loopback.ValidationError`: the error of a record that `isValid` found something wrong with. */
function makeError(record: unknown): ValidationError {
  if (record instanceof Model) return new ValidationError(detailsOf(record))
  throw new ScriptArgumentInvalid('ValidationError requires the invalid record')
}

/** The class as scripts use it: errors of `create` and the like are instances. */
export const ScriptValidationError: unknown = Object.defineProperties(
  function (record: unknown) {
    return makeError(record)
  },
  {
    name: { value: 'ValidationError' },
    prototype: { value: ValidationError.prototype },
    [Symbol.hasInstance]: { value: (value: unknown) => value instanceof ValidationError }
  }
)
