import type { PropertyDefinition } from '../definition/property-definition.ts'
import type { ValueType } from './value-type.ts'

/** `from:` names what of the caller the value is. */
export type PropertyGuard = 'readOnly' | 'writeOnce' | `from:${'userId' | 'appId' | 'userModel'}`

/** True where clients can never set it: it is read-only, or its value comes from the caller. */
export const isReadOnly = ({ guard }: Pick<PropertyType, 'guard'>): boolean =>
  guard !== undefined && guard !== 'writeOnce'

/** True where what a client sends for it never counts: it is refused, or the server sets another value. */
export const isSetByServer = (property: Pick<PropertyType, 'guard' | 'definition'>): boolean =>
  isReadOnly(property) || property.definition['setByServer'] === true

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
  /** What keeps clients from setting it: read-only, set once at most, or set to what is known of the caller. */
  readonly guard?: PropertyGuard | undefined
  /** The whole definition, database mappings included. */
  readonly definition: PropertyDefinition
}
