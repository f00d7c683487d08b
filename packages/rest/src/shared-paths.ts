import type { ModelRegistry } from '@modelwire/core'
import type { ModelType } from '@modelwire/core/plugin'

/** Two public models at one REST path. */
export interface SharedPath {
  /** The model whose methods come first. */
  readonly first: ModelType
  readonly second: ModelType
}

/** Public models at the REST path of an earlier one, in any case: at each verb and path the earlier one answers. */
export function findSharedPaths(registry: ModelRegistry): readonly SharedPath[] {
  const models = registry.names().map((name) => registry.typeOf(name))
  const firsts = new Map<string, ModelType>()
  const shared: SharedPath[] = []
  for (const model of models.filter(({ definition }) => definition.public === true)) {
    const path = model.httpPath.toLowerCase()
    const first = firsts.get(path)
    if (first === undefined) firsts.set(path, model)
    else shared.push({ first, second: model })
  }
  return shared
}
