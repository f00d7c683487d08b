import type { Filter } from './condition.ts'
import type { ModelType } from './model-type.ts'
import type { PropertyType } from '../types/property-type.ts'

/** What the text of records is made of. */
export interface JsonQuery {
  readonly filter: Filter
  /** With related records. */
  readonly shape: JsonShape
  readonly single: boolean
}

/** What of a record is written: its properties, then related records. */
export interface JsonShape {
  readonly properties: readonly PropertyType[]
  /** Undeclared properties are shown, too. */
  readonly undeclared: boolean
  readonly related: readonly RelatedJson[]
}

/** Related records within the text of others. */
export interface RelatedJson {
  /** The name that they are written under. */
  readonly name: string
  readonly model: ModelType
  /** The property of the outer record whose value `keyTo` of the related ones holds. */
  readonly keyFrom: string
  readonly keyTo: string
  /** What joins outer records to related ones, which then hold `keyTo` alone. */
  readonly through?: JsonLinks | undefined
  /** They are written as a list; else the only one, and nothing where there is none. */
  readonly many: boolean
  /** `order`, `limit` and `skip` hold for the records of one outer record. */
  readonly filter: Filter
  readonly shape: JsonShape
}

/** Records of a model between: each one joins a record to another, as often as there are such records. */
export interface JsonLinks {
  readonly model: ModelType
  /** Its property that holds the key of the outer record. */
  readonly keyFrom: string
  /** Its property that holds the key of the related record. */
  readonly keyTo: string
  /** Only `where` counts. */
  readonly filter: Filter
}
