import { lineageOf } from '../model/model-lineage.ts'
import type { ModelType } from '../model/model-type.ts'
import { compileMethod } from './compile-method.ts'
import { isOfRecords, namesOf } from './method-name.ts'
import type { Operation } from './operation.ts'
import { predefinedMethods } from './predefined.ts'

type Named = Pick<Operation, 'name' | 'aliases' | 'onInstance'>

function declaredMethods(model: ModelType): readonly Named[] {
  return lineageOf(model).flatMap(({ methods: { specs, operations } }) => [
    ...Array.from(specs, ([name, spec]) => compileMethod(model, name, spec)),
    ...operations
  ])
}

function predefined({ persisted }: ModelType): readonly Named[] {
  if (!persisted) return []
  return Object.entries(predefinedMethods).map(([name, { aliases }]) => ({
    name,
    aliases,
    onInstance: isOfRecords(name)
  }))
}

/**
 * The names of all methods of a model, each with the name that counts: aliases lead to it. Methods that are switched off are among
 * them. Ask when all relations and methods are declared.
 */
export function methodNames(model: ModelType): ReadonlyMap<string, string> {
  const names = new Map([...model.methods.disabled].map((name) => [name, name]))
  const added = model.registry.operationSources.flatMap((source) => source(model))
  for (const method of [...predefined(model), ...declaredMethods(model), ...added]) {
    const [own = '', ...aliases] = namesOf(method)
    for (const alias of aliases) names.set(alias, own)
    names.set(own, own)
  }
  return names
}
