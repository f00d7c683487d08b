import type { PropertyType } from './property-type.ts'

/** Names of the types that hold one value. `text` and `any` accept every type, as LoopBack's do. */
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

/** The compiled type of a property, argument or list item. */
export type ValueType =
  | { readonly kind: ScalarKind }
  | { readonly kind: 'array'; readonly items?: ValueType }
  | {
      readonly kind: 'nested'
      readonly properties: readonly PropertyType[]
      readonly byName: ReadonlyMap<string, PropertyType>
    }
  | { readonly kind: 'model'; readonly model: string }
