import {
  checkGuards,
  compileOperation,
  type CompiledOperation,
  type Guard,
  isPlainObject,
  type ModelType,
  type Operation,
  type OperationContext
} from '@modelwire/core'

/**
 * The guards of the streams of models that extend the one whose changes an operation tells: their changes are told to a caller
 * who may follow them there, and nothing less of them.
 */
export function guardDerived(operation: Operation): readonly Guard[] {
  const { model, name } = operation
  const derived = derivedFrom(model)
  if (name !== 'createChangeStream' || derived.length === 0 || !model.registry.isGuarded) return []
  const own = compileFor(operation, model)
  const others = derived.map((other) => compileFor(operation, other))
  const guard = async (context: OperationContext): Promise<void> => {
    const allowed = await argumentsAfter(own, context)
    const told = [model.name]
    for (const other of others) {
      const after = await argumentsAfter(other, context)
      if (after !== undefined && after === allowed) told.push(other.operation.model.name)
    }
    if (told.length <= derived.length) tellOnly(told, context)
  }
  const onlyForCallers = others.every(({ guards }) => guards.every((one) => one.onlyForCallers === true))
  return [Object.assign(guard, { ignoresInstance: true, onlyForCallers })]
}

function derivedFrom(model: ModelType): readonly ModelType[] {
  const { registry } = model
  const extendsIt = ({ base }: ModelType): boolean => base !== undefined && (base === model || extendsIt(base))
  return registry
    .names()
    .map((name) => registry.typeOf(name))
    .filter(extendsIt)
}

/** The same operation of another model. */
function compileFor(operation: Operation, model: ModelType): CompiledOperation {
  const { registry } = model
  const same = { ...operation, model }
  return compileOperation(same, registry.guardsOf(same), registry.remoteHooks)
}

/** What guards make of the arguments, as JSON; undefined where the call may not go on. */
async function argumentsAfter(call: CompiledOperation, context: OperationContext): Promise<string | undefined> {
  const { args } = context
  try {
    await checkGuards(call, context)
    return JSON.stringify(context.args)
  } catch (error) {
    if (isDenial(error)) return undefined
    throw error
  } finally {
    context.args = args
  }
}

const isDenial = (error: unknown): boolean => Number(Reflect.get(Object(error), 'statusCode')) < 500

function tellOnly(told: readonly string[], context: OperationContext): void {
  const { options } = context.args
  const asked = isPlainObject(options) ? options : {}
  const { models } = asked
  // What is malformed is refused when the stream is opened.
  const both = Array.isArray(models) ? told.filter((name) => models.includes(name)) : told
  context.args = { ...context.args, options: { ...asked, models: both } }
}
