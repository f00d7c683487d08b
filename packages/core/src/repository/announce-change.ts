import type { ChangeKind } from '../changes/change-bus.ts'
import type { ModelType } from '../model/model-type.ts'
import type { Row } from '../connector/connector.ts'

/** What happened to one record or, for updates and deletions of many, to all that match. */
export interface ChangeFacts {
  readonly kind: ChangeKind
  readonly id: unknown
  readonly before?: Row | undefined
  readonly after?: Row | undefined
  readonly where?: unknown
}

/** Tells the change bus, provided that somebody listens to this model. */
export function announceChange(model: ModelType, facts: ChangeFacts): void {
  const { changes } = model.registry
  if (changes.hasListeners(model.name)) changes.publish({ model: model.name, ...facts })
}
