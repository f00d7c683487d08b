import { isPlainObject, type MethodSpec, type ModelType } from '@modelwire/core'
import { isFunction, type ScriptFunction } from '../callback-bridge.ts'
import { ScriptArgumentInvalid } from '../errors.ts'
import { isOperationContext, scriptContext } from './script-context.ts'

/**
 * Declares a remote method of a model. `isStatic: false` is the way of version 2 to say that its instances have it.
 * @throws {ScriptArgumentInvalid} the specification is no object
 */
export function declareMethod(model: ModelType, name: string, spec: unknown): void {
  if (!isPlainObject(spec))
    throw new ScriptArgumentInvalid(`the specification of the method "${name}" must be an object`, {
      model: model.name
    })
  const onInstance = spec['isStatic'] === false && !name.startsWith('prototype.')
  model.methods.declare(onInstance ? `prototype.${name}` : name, withScriptContext(spec))
}

/** Functions that compute an argument get the script's view of the call. */
function withScriptContext(spec: MethodSpec): MethodSpec {
  const { accepts } = spec
  if (accepts === undefined || accepts === null) return spec
  return { ...spec, accepts: [accepts].flat().map(bridgeArgument) }
}

function bridgeArgument(argument: unknown): unknown {
  if (!isPlainObject(argument) || !isFunction(argument['http'])) return argument
  const compute: ScriptFunction = argument['http']
  return {
    ...argument,
    http: (context: unknown) => compute(isOperationContext(context) ? scriptContext(context) : context)
  }
}
