import type { PropertyType } from '@modelwire/core/connector'
import type { Sql } from '../sql.ts'
import type { ColumnKind } from './column-kind.ts'
import type { ExactType } from './exact-type.ts'
import type { Mapping } from './read-mapping.ts'

/** How texts are compared by their characters, in whatever collation they are stored. */
export interface ExactText {
  /** The text, or a parameter, so that it equals the same characters only, and is ordered by their codes. */
  readonly text: (text: Sql) => Sql
  /** The text, so that patterns tell all characters apart. */
  readonly pattern: (text: Sql) => Sql
}

/** A property and the column that holds it. */
export interface Column {
  readonly property: PropertyType
  /** The column's name in the database. */
  readonly name: string
  readonly kind: ColumnKind
  /** Texts of this column are compared by their codes. False for types such as uuid, which have no collation. */
  readonly isText: boolean
  /** The model's mapping of the column: `dataType`, `dataLength`, `nullable`, … */
  readonly mapping: Mapping
  /** The quoted name. */
  readonly sql: Sql
  /** What the column can hold where it has a type of exact numbers, as far as the model declares it. */
  readonly exact?: ExactType | undefined
  /** How its texts are compared by their characters; absent where the database does so. */
  readonly exactly?: ExactText
  /** An index serves orders of it that name no place for nulls; absent where that is unknown, too. */
  readonly isPlainlyIndexed?: boolean
  /** Only of the column that holds all other properties of an open model, as one object: the columns of the declared ones. */
  readonly declared?: ReadonlyMap<string, Column>
}
