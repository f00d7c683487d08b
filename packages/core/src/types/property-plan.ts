import type { Coercion } from '../values/unusable.ts'

/** What happens to one property when an instance is filled. */
export interface PropertyPlan {
  readonly name: string
  readonly coerce: Coercion
  readonly makeDefault: (() => unknown) | undefined
  /**
   * LB3: a default of another type, such as a text for a date, stays as it is in the answer of the create, pinned by crud/defaults.
   * It is stored as the type of the property.
   */
  readonly rawDefault: unknown
  /** LB3: a foreign key that is not a number is stored as null, pinned by relations/belongs-to. */
  readonly nullsUnusable: boolean
}
