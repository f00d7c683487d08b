import { ScriptArgumentInvalid } from '@modelwire/loopback-express'
import { isOfRecords, isPlainObject, type ModelType, nameOfRecords } from '@modelwire/core/plugin'

/**
 * Declares a remote method of a model. `isStatic: false` declares it on instances in version 2.
 * @throws {ScriptArgumentInvalid} the specification is not an object
 */
export function declareMethod(model: ModelType, name: string, spec: unknown): void {
  if (!isPlainObject(spec))
    throw new ScriptArgumentInvalid(`the specification of the method "${name}" must be an object`, {
      model: model.name
    })
  const onInstance = spec['isStatic'] === false && !isOfRecords(name)
  model.methods.declare(onInstance ? nameOfRecords(name) : name, spec)
}
