import { Model, type ModelRegistry, type ModelType, type Operation } from '@modelwire/core'
import { listOperations } from '@modelwire/rest'
import { isFunction, type ScriptFunction } from '../callback-bridge.ts'
import { ScriptModel } from '../scripts/script-model.ts'

/**
 * Lets scripts replace predefined methods: where a model has a function of its own under the name of an operation, such as
 * `Product.find = …`, the operation calls it. Call it after all scripts, before operations are mounted.
 */
export function overrideOperations(registry: ModelRegistry): void {
  const models = registry.names().map((name) => registry.typeOf(name))
  for (const model of models.filter((type) => type.persisted && type.definition.public === true)) overrideModel(model)
}

function overrideModel(model: ModelType): void {
  const declared = new Set([
    ...model.methods.specs.keys(),
    ...model.methods.operations.map((operation) => operation.name)
  ])
  const predefined = listOperations(model, undefined).filter((operation) => !declared.has(operation.name))
  for (const operation of predefined) {
    if ([operation.name, ...operation.aliases].some((name) => isOverridden(model, operation, name)))
      model.methods.operations.push(calling(operation))
  }
}

/** The function that an operation's name means on the class, or on its records. */
function readFunction(model: ModelType, operation: Operation, root: typeof Model, name: string): unknown {
  const owner: unknown = operation.onInstance ? root.prototype : root
  return (owner as Record<string, unknown>)[name.replace(/^prototype\./, '')] // a class or a prototype: any name may be read
}

function isOverridden(model: ModelType, operation: Operation, name: string): boolean {
  const own = readFunction(model, operation, model.modelClass, name)
  return (
    isFunction(own) &&
    own !== readFunction(model, operation, ScriptModel, name) &&
    own !== readFunction(model, operation, Model, name)
  )
}

function calling(operation: Operation): Operation {
  const { model } = operation
  const names = [operation.name, ...operation.aliases]
  const name = names.find((each) => isOverridden(model, operation, each)) ?? operation.name
  return {
    ...operation,
    invoke: (context) => {
      const self = operation.onInstance ? context.instance : model.modelClass
      const method = readFunction(model, operation, model.modelClass, name) as ScriptFunction // `isOverridden` saw a function there
      const args = operation.accepts.map((argument) => context.args[argument.name])
      return model.registry.callMethod(method, self, args)
    }
  }
}
