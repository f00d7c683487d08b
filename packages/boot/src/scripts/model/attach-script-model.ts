import type { ModelRegistry } from '@modelwire/core'
import type { ModelType } from '@modelwire/core/plugin'
import { eventsOf } from './model-events.ts'

/**
 * Attaches a model to its data source, and emits `dataAccessConfigured` and `dataSourceAttached`; null leaves it
 * without one.
 * @throws {UnknownDataSource} there is none of this name
 */
export function attachScriptModel(registry: ModelRegistry, model: ModelType, dataSource: string | null): void {
  registry.attach(model, dataSource)
  if (dataSource === null) return
  registry.relations.attached(model)
  const { modelClass } = model
  for (const event of ['dataAccessConfigured', 'dataSourceAttached']) eventsOf(modelClass).emit(event, modelClass)
}
