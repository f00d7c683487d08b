import { memory } from '@modelwire/connector-memory'
import type { CoreOptions, ModelDefinition, ModelRegistry } from '#src/index.ts'
import { buildRegistry } from '#src/build-registry.ts'

/** A registry with these models in memory. */
export function buildModels(models: readonly ModelDefinition[], options: CoreOptions = {}): ModelRegistry {
  return buildRegistry({ dataSources: { db: memory() }, models, ...options }, (error) => {
    throw error
  })
}
