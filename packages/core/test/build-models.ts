import { memory } from '@modelwire/connector-memory'
import { buildRegistry, type CoreOptions, type ModelDefinition, type ModelRegistry } from '#src/index.ts'

/** A registry with these models in memory. */
export function buildModels(models: readonly ModelDefinition[], options: CoreOptions = {}): ModelRegistry {
  return buildRegistry({ dataSources: { db: memory() }, models, ...options }, (error) => {
    throw error
  })
}
