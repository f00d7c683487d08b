import type { Row } from './row.ts'

/** A value of a row that a driver sent, and how it becomes the value of a property. */
export interface SentColumn {
  readonly name: string
  /** @param value as the driver sent it; never null */
  readonly read: (value: unknown) => unknown
  /**
   * The JSON text of what `read` returns, character by character; undefined for a value that has to be read first. Absent where
   * that is so for all values.
   */
  readonly write?: ((value: never) => string | undefined) | undefined
  /** Only of a column that holds undeclared properties: adds those of a value to a row. */
  readonly addTo?: ((row: Row, value: unknown) => void) | undefined
}

/** The values of a row in the order of its layout's columns. */
export type SentValues = readonly unknown[]

const sentValues: unique symbol = Symbol('sent values')
const sentLayout: unique symbol = Symbol('sent layout')

/** A row that reads its properties when they are asked for. */
interface SentRow extends Row {
  readonly [sentValues]: SentValues
  readonly [sentLayout]: SentLayout
}

const readSent = (read: SentColumn['read'], value: unknown): unknown =>
  value === null || value === undefined ? null : read(value)

/**
 * The columns of rows that a driver sent, one for all rows of a kind: serializers are compiled for it. Rows are either plain
 * ones or, where they are only written as JSON, rows that keep what was sent: most values of an answer are never read then.
 */
export class SentLayout {
  readonly columns: readonly SentColumn[]
  readonly #others: SentColumn['addTo']
  readonly #othersAt: number
  readonly #Row: new (values: SentValues) => Row

  constructor(columns: readonly SentColumn[]) {
    this.columns = columns
    this.#othersAt = columns.findIndex(({ addTo }) => addTo !== undefined)
    this.#others = columns[this.#othersAt]?.addTo
    this.#Row = rowClass(this)
  }

  /** A row that reads its properties from `values` each time; a plain one where it has undeclared properties. */
  row(values: SentValues): Row {
    const others = values[this.#othersAt]
    return others === undefined || others === null ? new this.#Row(values) : this.plain(values)
  }

  /** A row with all properties as own keys. */
  plain(values: SentValues): Row {
    const row: Row = {}
    for (let at = 0; at < this.columns.length; at++) {
      const column = this.columns[at]
      if (column !== undefined && at !== this.#othersAt) row[column.name] = readSent(column.read, values[at])
    }
    const others = values[this.#othersAt]
    if (others !== undefined && others !== null) this.#others?.(row, others)
    return row
  }
}

/** The class of a layout's rows: what they have in common is on its prototype. */
function rowClass(layout: SentLayout): new (values: SentValues) => Row {
  const RowOfLayout = class {
    readonly [sentValues]: SentValues

    constructor(values: SentValues) {
      this[sentValues] = values
    }
  }
  const { prototype } = RowOfLayout
  Object.defineProperty(prototype, sentLayout, { value: layout })
  for (const [at, { name, read, addTo }] of layout.columns.entries())
    if (addTo === undefined)
      Object.defineProperty(prototype, name, {
        get(this: SentRow) {
          return readSent(read, this[sentValues][at])
        }
      })
  return RowOfLayout as unknown as new (values: SentValues) => Row // its properties are those defined above
}

/** The layout of a row that keeps what was sent; undefined for any other row. */
export const layoutOf = (row: Readonly<Row>): SentLayout | undefined => (row as Partial<SentRow>)[sentLayout]

/** What was sent of a row that has a layout. */
export const valuesOf = (row: Readonly<Row>): SentValues => (row as SentRow)[sentValues]

/** The row itself, or a copy with own keys of one that keeps what was sent. */
export const plainRow = (row: Row): Row => layoutOf(row)?.plain(valuesOf(row)) ?? row
