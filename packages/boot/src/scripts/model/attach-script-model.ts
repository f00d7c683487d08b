import type { ModelRegistry } from '@modelwire/core'
import { eventsOf } from './model-events.ts'

/**
 * Gives a model its data source, and tells those who wait for it (`dataAccessConfigured`, `dataSourceAttached`); null leaves
 * it without one.
 * @throws {UnknownDataSource} there is none of this name
 */
export function attachScriptModel(registry: ModelRegistry, name: string, dataSource: string | null): void {
  registry.attach(name, dataSource)
  if (dataSource === null) return
  const model = registry.typeOf(name)
  registry.relations.attached(model)
  const { modelClass } = model
  for (const event of ['dataAccessConfigured', 'dataSourceAttached']) eventsOf(modelClass).emit(event, modelClass)
}
