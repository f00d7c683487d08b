import { type Model, OperationContext } from '@modelwire/core'
import { callOf, isPlainObject, type Operation, optionsFor, repository, shortName } from '@modelwire/core/plugin'
import { type AccessorMethod, type AccessorStyle, styled } from '../accessors/accessor-style.ts'

/** The functions behind the methods of relations: `Author.prototype.__get__books`. Scripts may replace them. */
export interface RelationFunctions {
  /** Puts a function per operation on the records of its model. */
  readonly define: (operations: readonly Operation[]) => void
  /** The operation, with the application's own function where there is one. */
  readonly respect: (operation: Operation) => Operation
}

/** Calls an operation as code calls a method: its arguments in their order, options last. */
async function run(operation: Operation, instance: Model, values: readonly unknown[]): Promise<unknown> {
  const names = operation.accepts.map(({ name }) => name)
  const args = Object.fromEntries(names.map((name, at) => [name, values[at]]))
  const supplied = args['options']
  const { options, client, grant } = callOf(isPlainObject(supplied) ? supplied : undefined)
  const context = new OperationContext(operation, { args, options, client, wantsInstances: true })
  context.grant = grant
  context.instance = instance
  return repository.toValue(await operation.invoke(context))
}

const isFunction = (value: unknown): value is AccessorMethod => typeof value === 'function'

/** Makes the functions of one registry's relations. */
export function relationFunctions(style: AccessorStyle): RelationFunctions {
  const made = new WeakSet()
  return {
    define: (operations) => {
      for (const operation of operations) {
        const value = styled(async function (this: Model, ...values: unknown[]) {
          return run(operation, this, values)
        }, style)
        made.add(value)
        const { prototype } = operation.model.modelClass
        Object.defineProperty(prototype, shortName(operation.name), { configurable: true, writable: true, value })
      }
    },
    respect: (operation) => {
      const { model } = operation
      const own: unknown = Reflect.get(model.modelClass.prototype, shortName(operation.name))
      if (!isFunction(own) || made.has(own)) return operation
      const invoke = (context: OperationContext): unknown => {
        // The function acts for the client where it passes its options on.
        const callArgs: Record<string, unknown> = { ...context.args, options: optionsFor(context) }
        const args = operation.accepts.map(({ name }) => callArgs[name])
        return model.registry.callMethod(own, context.instance, args, operation)
      }
      return { ...operation, invoke, runsApplicationCode: true }
    }
  }
}
