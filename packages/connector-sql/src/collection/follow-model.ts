import type { Collection, ModelType } from '@modelwire/core/connector'
import { forwardTo } from './forward-to.ts'

/**
 * A collection that is made anew when its model has got other properties: relations declare keys after a model has been
 * attached, and scripts declare more.
 */
export function followModel(model: ModelType, make: () => Collection): Collection {
  let { properties } = model
  let made = make()
  const current = (): Collection => {
    if (properties !== model.properties) {
      made = make()
      properties = model.properties
    }
    return made
  }
  return forwardTo(made, current)
}
