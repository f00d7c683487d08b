import type { OperationContext } from '@modelwire/core'
import { type ModelType, type Operation, shortName } from '@modelwire/core/plugin'
import { answerWithin } from './answer-within.ts'
import { argumentsWithinRights } from './arguments-within-rights.ts'

type Method = (...args: unknown[]) => unknown

const isMethod = (value: unknown): value is Method => typeof value === 'function'

/** The function behind a name of a class or of its instances; undefined when there is none. */
function methodOf(owner: object, name: string): Method | undefined {
  const found: unknown = Reflect.get(owner, name)
  return isMethod(found) ? found : undefined
}

/** True when the application replaced a predefined method of this model, under its name or an alias. */
function replacement(model: ModelType, operation: Operation): string | undefined {
  const { rootClass } = model.registry
  const [own, original]: [object, object] = operation.onInstance
    ? [model.modelClass.prototype, rootClass.prototype]
    : [model.modelClass, rootClass]
  const names = [shortName(operation.name), ...operation.aliases]
  return names.find((name) => methodOf(own, name) !== methodOf(original, name))
}

/**
 * Lets a model's own function answer in place of the predefined one: scripts and mixins replace `Model.find` and the like.
 * A model that replaced nothing is not slowed down.
 */
export function respectOverrides(model: ModelType, operation: Operation): Operation {
  const name = replacement(model, operation)
  if (name === undefined) return operation
  const invoke = async (context: OperationContext): Promise<unknown> => {
    const self: object = operation.onInstance ? (context.instance ?? model.modelClass) : model.modelClass
    const method = methodOf(self, name)
    if (method === undefined) return operation.invoke(context)
    const args = await argumentsWithinRights(model, operation, context)
    const answer = await model.registry.callMethod(method, self, args, context.operation)
    return answerWithin(model, operation, context, answer)
  }
  return { ...operation, invoke, invokeById: undefined, runsApplicationCode: true }
}
