import type { ModelType } from '../contract/model-type.ts'
import { AggregateSettingsSchema } from '../definition/aggregate-settings.ts'
import { fillDefaults, type WithDefaults } from '../definition/fill-defaults.ts'

/** What clients may ask of a model's sums and groups. */
export type AggregateLimits = WithDefaults<typeof AggregateSettingsSchema>

/** True where clients may ask for sums and groups: the model's setting `aggregate` is set. */
export const allowsAggregate = ({ definition: { aggregate } }: ModelType): boolean =>
  aggregate !== undefined && aggregate !== false

/** The limits of clients of a model, with their defaults. */
export function aggregateLimits({ definition: { aggregate } }: ModelType): AggregateLimits {
  return fillDefaults(AggregateSettingsSchema, typeof aggregate === 'object' ? aggregate : {})
}
