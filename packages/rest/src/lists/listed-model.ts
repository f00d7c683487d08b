import type { ListSettings, ModelType, Operation } from '@modelwire/core/plugin'

/** A list that clients get, and how. */
export interface ClientList {
  readonly model: ModelType
  readonly settings: ListSettings
}

/** The list that an operation gives; undefined where it gives none that the records of a model are read for. @param shared of all models */
export function clientList({ model, effect }: Operation, shared: ListSettings): ClientList | undefined {
  const { verb, subject, condition, relation } = effect
  if (verb !== 'find' || subject !== 'set' || condition !== 'filter' || relation?.embeds === true) return undefined
  const listed = relation === undefined ? model : relation.to
  return listed && { model: listed, settings: { ...shared, ...listed.definition.lists } }
}
