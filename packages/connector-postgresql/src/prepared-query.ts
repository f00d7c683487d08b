import { addUndeclared, type Column, type RawRow } from '@modelwire/connector-sql'
import type { Row } from '@modelwire/core'
import type { Connection, FieldDef } from 'pg'
import Query from 'pg/lib/query.js'
import { readAsDriver, readColumn, type ReadValue } from './read-column.ts'

/** A statement on one connection: the server knows it by its name once it was parsed. */
export interface Prepared {
  readonly name: string
  readonly text: string
  /** What its rows hold; undefined until the server said so, and where there are none. */
  fields: readonly FieldDef[] | undefined
  isDescribed: boolean
  /** How rows are read, for the columns that were asked for last. */
  reading: { readonly columns: readonly Column[]; readonly values: readonly ReadValue[] } | undefined
}

/** A parameter as the server takes it. */
export type ParameterValue = string | Buffer | null

/** The values of a row as the server sends them. */
type SentRow = readonly (string | null)[]

/** What the driver knows of a connection, which its types leave out. */
interface NotingConnection extends Connection {
  /** Texts by the names of their statements. */
  readonly parsedStatements: Readonly<Record<string, string | undefined>>
  /** The same of those that the server has not answered for. */
  readonly submittedNamedStatements: Record<string, string | undefined>
}

const noRows: readonly SentRow[] = []

interface SentFields {
  readonly fields: readonly FieldDef[]
}

/**
 * A query that the driver sends for a prepared statement. The server describes the rows the first time alone, and the
 * values of a row stay as they were sent until somebody reads them as what they are.
 * @see pg, docs on submittable queries; pg-cursor is one
 */
export class PreparedQuery extends Query {
  /** Undefined until there is one. */
  #sent: SentRow[] | undefined
  /** What the server says in the end, such as `UPDATE 3` or `INSERT 0 1`. */
  #tag = ''
  readonly #prepared: Prepared
  readonly #values: ParameterValue[]
  #isOver = false

  constructor(prepared: Prepared, values: ParameterValue[]) {
    // Of an object the driver would make a copy, property by property.
    super(prepared.text)
    // The driver notes under the name that the server has parsed the text.
    this.name = prepared.name
    this.#prepared = prepared
    this.#values = values
  }

  override submit(connection: Connection): void {
    const { isDescribed } = this.#prepared
    // The driver's own connections have them.
    const noting = connection as NotingConnection
    const { stream } = noting
    // One write for all messages.
    stream.cork()
    try {
      this.#parse(noting)
      connection.bind({ portal: '', statement: this.name, values: this.#values }, true)
      if (!isDescribed) connection.describe({ type: 'P', name: '' }, true)
      connection.execute({ portal: '', rows: '' }, true)
      connection.sync()
    } finally {
      stream.uncork()
    }
  }

  /** Has the server parse the text, once per name. */
  #parse(connection: NotingConnection): void {
    const { name, text } = this
    const { parsedStatements, submittedNamedStatements } = connection
    if (parsedStatements[name] !== undefined || submittedNamedStatements[name] !== undefined) return
    connection.parse({ name, text, types: [] }, true)
    if (name !== '') submittedNamedStatements[name] = text
  }

  override handleRowDescription({ fields }: SentFields): void {
    this.#prepared.fields = fields
  }

  override handleDataRow({ fields }: { readonly fields: SentRow }): void {
    // Most statements have one row or none, and a list that grows takes room for seventeen.
    if (this.#sent === undefined) this.#sent = [fields]
    else this.#sent.push(fields)
  }

  override handleCommandComplete({ text }: { readonly text: string }): void {
    this.#tag = text
  }

  override handleReadyForQuery(): void {
    this.#prepared.isDescribed = true
    this.#finish(undefined)
  }

  override handleError(error: Error): void {
    this.#finish(error)
  }

  /** The rows of the model that have these columns, in their order. */
  rowsOf(columns: readonly Column[]): Row[] {
    const prepared = this.#prepared
    const { fields = [] } = prepared
    if (prepared.reading?.columns !== columns) {
      const values = columns.map((column, at) => readColumn(column, fields[at]?.dataTypeID ?? 0))
      prepared.reading = { columns, values }
    }
    const { values } = prepared.reading
    return (this.#sent ?? noRows).map((sent) => {
      const row: Row = {}
      for (const [at, { property, declared }] of columns.entries()) {
        const text = sent[at] ?? null
        const value = text === null ? null : values[at]?.(text)
        if (declared === undefined) row[property.name] = value
        else addUndeclared(row, value, declared)
      }
      return row
    })
  }

  /** The rows by the names of what the statement selects. */
  namedRows(): RawRow[] {
    const { fields = [] } = this.#prepared
    return (this.#sent ?? noRows).map((sent) => {
      const row: Row = {}
      for (const [at, { name, dataTypeID }] of fields.entries()) {
        const text = sent[at] ?? null
        row[name] = text === null ? null : readAsDriver(dataTypeID)(text)
      }
      return row
    })
  }

  /** What the statement did, and to how many rows. */
  outcome(): { readonly command: string; readonly rowCount: number } {
    const parts = this.#tag.split(' ')
    return { command: parts[0] ?? '', rowCount: Number(parts.at(-1)) || 0 }
  }

  #finish(error: Error | undefined): void {
    if (this.#isOver) return
    this.#isOver = true
    this.callback?.(error)
  }
}
