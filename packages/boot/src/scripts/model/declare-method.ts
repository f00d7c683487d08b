import { isOfRecords, isPlainObject, type ModelType, nameOfRecords } from '@modelwire/core/plugin'
import { ScriptArgumentInvalid } from '../../errors.ts'

/**
 * Declares a remote method of a model. `isStatic: false` is the way of version 2 to say that its instances have it.
 * @throws {ScriptArgumentInvalid} the specification is no object
 */
export function declareMethod(model: ModelType, name: string, spec: unknown): void {
  if (!isPlainObject(spec))
    throw new ScriptArgumentInvalid(`the specification of the method "${name}" must be an object`, {
      model: model.name
    })
  const onInstance = spec['isStatic'] === false && !isOfRecords(name)
  model.methods.declare(onInstance ? nameOfRecords(name) : name, spec)
}
