import type { PropertyDefinition } from '../definition/property-definition.ts'
import type { ValueType } from '../values/value-type.ts'

/** One property of a model, compiled from its definition. */
export interface PropertyType {
  readonly name: string
  readonly type: ValueType
  /** Part of the record's identity. */
  readonly id: boolean
  /** The connector makes the value when a record is inserted without one. */
  readonly generated: boolean
  readonly required: boolean
  readonly index: boolean
  readonly unique: boolean
  /** Makes the value of a property that is absent in new data; undefined when there is no default. */
  readonly makeDefault?: (() => unknown) | undefined
  /** Everything the definition says, database mappings included. */
  readonly definition: PropertyDefinition
}
