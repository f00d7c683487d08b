import type { Change } from '../contract/change-bus.ts'
import type { ModelType } from '../contract/model-type.ts'

/** What happened to one record or, for updates and deletions of many, to all that match. */
export type ChangeFacts = Omit<Change, 'model'>

/** Tells the change bus, provided that somebody listens to this model. */
export function announceChange(model: ModelType, facts: ChangeFacts): void {
  const { changes } = model.registry
  if (changes.hasListeners(model.name)) changes.publish({ model: model.name, ...facts })
}
