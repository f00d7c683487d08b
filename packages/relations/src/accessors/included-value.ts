import type { Model } from '@modelwire/core'
import { stateOf } from '@modelwire/core/plugin'

/** What was included with a record when it was read. */
export const includedValue = {
  get: (record: Model, name: string): unknown => stateOf(record).related?.[name],
  set: (record: Model, name: string, value: unknown): void => {
    const state = stateOf(record)
    state.related = { ...state.related, [name]: value }
  }
}
