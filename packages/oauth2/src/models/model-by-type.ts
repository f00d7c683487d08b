import type { ModelRegistry, ModelType } from '@modelwire/core'

function extendsModel(model: ModelType, root: string): boolean {
  for (let type: ModelType | undefined = model; type !== undefined; type = type.base)
    if (type.name === root) return true
  return false
}

/**
 * The first model with a data source that extends `root`, else `root` where there is such a model.
 * @see LoopBack 3: loopback, lib/registry.js, getModelByType
 */
export function modelByType(registry: ModelRegistry, root: string): string | undefined {
  const models = registry.names().map((name) => registry.typeOf(name))
  const attached = models.find((model) => model.dataSource !== undefined && extendsModel(model, root))
  return attached?.name ?? registry.find(root)?.name
}
