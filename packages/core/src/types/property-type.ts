import type { PropertyDefinition } from '../definition/property-definition.ts'
import type { Coercion } from '../values/unusable.ts'

/** Names of the types that hold one value. `text` and `any` accept every type, as in LoopBack. */
export const scalarKinds = [
  'string',
  'text',
  'number',
  'integer',
  'boolean',
  'date',
  'dateString',
  'buffer',
  'geopoint',
  'object',
  'any'
] as const

export type ScalarKind = (typeof scalarKinds)[number]

/** Kinds of values that are one text, number, boolean or date. */
export const plainKinds: ReadonlySet<string> = new Set<ScalarKind>([
  'string',
  'text',
  'dateString',
  'number',
  'integer',
  'boolean',
  'date'
])

/** The compiled type of a property, argument or list item. */
export type ValueType =
  | { readonly kind: ScalarKind }
  | { readonly kind: 'array'; readonly items?: ValueType; readonly nullableItems?: true }
  | {
      readonly kind: 'nested'
      readonly properties: readonly PropertyType[]
      readonly byName: ReadonlyMap<string, PropertyType>
    }
  | { readonly kind: 'model'; readonly model: string }

/** How one property is handled when an instance is filled. */
export interface PropertyPlan {
  readonly name: string
  readonly coerce: Coercion
  readonly makeDefault: (() => unknown) | undefined
  /**
   * LB3: a default of another type, such as a string for a date, is returned unchanged in the response to the create,
   * pinned by crud/defaults. It is stored as the type of the property.
   */
  readonly rawDefault: unknown
  /** LB3: a foreign key that is not a number is stored as null, pinned by relations/belongs-to. */
  readonly nullsUnusable: boolean
  /** A stored null is older than the default, which stands for it. */
  readonly fillsNull: boolean
}

/** `from:` names the fact about the caller that is the value. */
export type PropertyGuard = 'readOnly' | 'writeOnce' | `from:${'userId' | 'appId' | 'userModel'}`

/** True if clients can never set it: it is read-only, or its value comes from the caller. */
export const isReadOnly = ({ guard }: Pick<PropertyType, 'guard'>): boolean =>
  guard !== undefined && guard !== 'writeOnce'

/** True if every record has a value for it: it is required, or has a default. */
export const isAlwaysThere = ({
  required,
  nullable,
  makeDefault
}: Pick<PropertyType, 'required' | 'nullable' | 'makeDefault'>): boolean =>
  !nullable && (required || makeDefault !== undefined)

/** One property of a model, compiled from its definition. */
export interface PropertyType {
  readonly name: string
  readonly type: ValueType
  /** Part of the record's identity. */
  readonly id: boolean
  /** The connector generates the value when a record is inserted without one. */
  readonly generated: boolean
  readonly required: boolean
  /**
   * Null is a value of it, or stands for none. False for ids only where they are required: null stands for an id that is
   * going to be generated.
   */
  readonly nullable: boolean
  readonly index: boolean
  readonly unique: boolean
  /** Generates the value of a property that is absent in new data; undefined if there is no default. */
  readonly makeDefault?: (() => unknown) | undefined
  /** What restricts clients from setting it: read-only, set once at most, or set to a fact about the caller. */
  readonly guard?: PropertyGuard | undefined
  /** The whole definition, including database mappings. */
  readonly definition: PropertyDefinition
}
