import type { Row } from '../contract/row.ts'
import { stored } from '../model/build-instance.ts'
import { stateOf } from '../contract/bare-model.ts'
import type { ModelInstance } from '../contract/model-instance.ts'
import type { ModelType } from '../contract/model-type.ts'

/** What of a row an instance shows. */
export interface InstanceParts {
  readonly fields?: ReadonlySet<string> | undefined
  readonly related?: Record<string, unknown> | undefined
  /** Names of the properties that its JSON shows; undefined: all that are not hidden. Code sees the others, too. */
  readonly readable?: ReadonlySet<string> | undefined
}

/** An instance of a stored row. The row is copied: applications may change what they get. */
export function toInstance(
  model: ModelType,
  row: Row,
  { fields, related, readable }: InstanceParts = {}
): ModelInstance {
  const data = fields === undefined ? row : Object.fromEntries(Object.entries(row).filter(([key]) => fields.has(key)))
  const instance = new model.modelClass(data, stored)
  if (related !== undefined) stateOf(instance).related = related
  if (readable !== undefined) stateOf(instance).readable = readable
  return instance
}
