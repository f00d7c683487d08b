import { lineageOf } from '../model/model-lineage.ts'
import type { ModelType } from '../contract/model-type.ts'
import { operationsOf, operationSourcesOf } from './added-operations.ts'
import { compileMethod } from './compile-method.ts'
import { isOfRecords, type NamedMethod, namesOf } from '../definition/method-name.ts'
import { predefinedMethods } from './predefined.ts'

function declaredMethods(model: ModelType): readonly NamedMethod[] {
  return lineageOf(model).flatMap((type) => [
    ...Array.from(type.methods.specs, ([name, spec]) => compileMethod(model, name, spec)),
    ...operationsOf(type)
  ])
}

function predefined({ persisted }: ModelType): readonly NamedMethod[] {
  if (!persisted) return []
  return Object.entries(predefinedMethods).map(([name, { aliases }]) => ({
    name,
    aliases,
    onInstance: isOfRecords(name)
  }))
}

/**
 * The names of all methods of a model, each with the name that counts: aliases lead to it. Methods that are switched
 * off are among them. Call it when all relations and methods are declared.
 */
export function methodNames(model: ModelType): ReadonlyMap<string, string> {
  const names = new Map([...model.methods.disabled].map((name) => [name, name]))
  const added = operationSourcesOf(model.registry).flatMap((source) => source(model))
  for (const method of [...predefined(model), ...declaredMethods(model), ...added]) {
    const [own = '', ...aliases] = namesOf(method)
    for (const alias of aliases) names.set(alias, own)
    names.set(own, own)
  }
  return names
}
