import { listedModel, type ListSettings, type ModelType, type Operation } from '@modelwire/core/plugin'

/** A list that clients get, and how. */
export interface ClientList {
  readonly model: ModelType
  readonly settings: ListSettings
}

/** The list that an operation gives; undefined where it gives none that is read page by page. @param shared of all models */
export function clientList(operation: Operation, shared: ListSettings): ClientList | undefined {
  const model = listedModel(operation)
  return model && { model, settings: { ...shared, ...model.definition.lists } }
}
