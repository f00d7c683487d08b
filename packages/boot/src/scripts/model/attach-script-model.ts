import type { ModelRegistry } from '@modelwire/core'
import { eventsOf } from './model-events.ts'

/**
 * Attaches a model to its data source, and emits `dataAccessConfigured` and `dataSourceAttached`; null leaves it
 * without one.
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
