import type { ModelRegistry } from '@modelwire/core'
import { methodNames, type ModelType, nameOfRecords, type SharedMethods } from '@modelwire/core/plugin'

type IsMethod = (name: string) => boolean

/** Lists the methods of a model once, and only where a setting names some. */
function methodsOf(model: ModelType): IsMethod {
  let names: ReadonlyMap<string, string> | undefined
  return (name) => {
    names ??= methodNames(model)
    return names.has(name) || names.has(nameOfRecords(name))
  }
}

const unknownIn = (setting: SharedMethods | undefined, isMethod: IsMethod): readonly string[] =>
  Object.keys(setting ?? {}).filter((name) => !name.includes('*') && !isMethod(name))

/** Warns of names in `sharedMethods` that mean no method: what they should switch off stays reachable. `boot` reports them itself. */
export function warnOfUnknownMethods(
  registry: ModelRegistry,
  sharedMethods: SharedMethods | undefined,
  warn: (message: string) => void
): void {
  if (registry.rules.allowsUnknownMethods) return
  const models = registry.names().map((name) => registry.typeOf(name))
  const sharedNames = models
    .filter(({ definition }) => definition.public === true)
    .map((model) => ({ model, isMethod: methodsOf(model) }))
  const unknown = [
    ...unknownIn(sharedMethods, (name) => sharedNames.some(({ isMethod }) => isMethod(name))),
    ...sharedNames.flatMap(({ model, isMethod }) =>
      unknownIn(model.definition.remoting?.sharedMethods, isMethod).map((name) => `${model.name}.${name}`)
    )
  ]
  if (unknown.length > 0) warn(`rest: sharedMethods names what is no method: ${unknown.join(', ')}`)
}
