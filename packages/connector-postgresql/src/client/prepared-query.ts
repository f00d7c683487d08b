import { addUndeclared, type Column, type RawRow } from '@modelwire/connector-sql'
import { type AnswerBounds, AnswerTooLarge, type Row } from '@modelwire/core/connector'
import type { Connection, FieldDef } from 'pg'
import Query from 'pg/lib/query.js'
import { ByteMeter } from './byte-meter.ts'
import { endConnection, type GuardedConnection, type Receiver } from './guarded-client.ts'
import { readAsDriver, readColumn, type ReadValue } from '../values/read-column.ts'
import type { TimestampZone } from '../values/timestamp-zone.ts'

/** A statement on one connection: the server knows it by its name once it was parsed. */
export interface Prepared {
  readonly name: string
  readonly text: string
  /** What its rows hold; undefined until the server said so, and where there are none. */
  fields: readonly FieldDef[] | undefined
  isDescribed: boolean
  /** How rows are read, for the columns of the last result. */
  reading:
    | { readonly columns: readonly Column[]; readonly values: readonly ReadValue[]; readonly empty: Row }
    | undefined
}

/** A parameter as the server takes it. */
export type ParameterValue = string | Buffer | null

/** What a query does besides. */
export interface QueryExtras {
  /** A statement that takes effect for this one alone: it is sent in front of it, and its result is passed over. */
  readonly before?: string | undefined
  /** The result is refused beyond so many bytes. */
  readonly atMost?: AnswerBounds | undefined
  /** Milliseconds for the answer, where it is not those of the connection. */
  readonly timeout?: number | undefined
  /** That of times which know none; UTC when absent. */
  readonly zone?: TimestampZone | undefined
}

/** The values of a row as the server sends them. */
type SentRow = readonly (string | null)[]

/** What the driver knows of a connection, which its types leave out. */
interface NotingConnection extends GuardedConnection {
  /** Texts by the names of their statements. */
  readonly parsedStatements: Readonly<Record<string, string | undefined>>
  /** The names of statements that the server has not confirmed yet. */
  readonly submittedNamedStatements: Record<string, string | undefined>
}

const noRows: readonly SentRow[] = []

interface SentFields {
  readonly fields: readonly FieldDef[]
}

/**
 * A query that the driver sends for a prepared statement. The server describes the rows the first time alone, and the
 * values of a row stay as they were sent until they are decoded.
 * @see pg, docs on submittable queries; pg-cursor is one
 */
export class PreparedQuery extends Query implements Receiver {
  /** The driver's name for milliseconds that this query has. */
  readonly query_timeout: number | undefined
  /** The server has confirmed before that it parsed the text under the name. */
  wasPrepared = false
  /** Undefined until there is one. */
  #sent: SentRow[] | undefined
  /** The command tag, such as `UPDATE 3` or `INSERT 0 1`. */
  #tag = ''
  readonly #prepared: Prepared
  readonly #values: ParameterValue[]
  readonly #before: string | undefined
  readonly #meter: ByteMeter | undefined
  readonly #zone: TimestampZone | undefined
  #connection: NotingConnection | undefined
  #isBefore: boolean
  #isDropped = false
  #isOver = false

  constructor(prepared: Prepared, values: ParameterValue[], { before, atMost, timeout, zone }: QueryExtras = {}) {
    // Of an object the driver would make a copy, property by property.
    super(prepared.text)
    // The driver notes under the name that the server has parsed the text: not that of the statement before.
    this.name = before === undefined ? prepared.name : ''
    this.query_timeout = timeout
    this.#prepared = prepared
    this.#values = values
    this.#before = before
    this.#isBefore = before !== undefined
    this.#meter = atMost && new ByteMeter(atMost)
    this.#zone = zone
  }

  get isNamed(): boolean {
    return this.#prepared.name !== ''
  }

  override submit(connection: Connection): void {
    const { isDescribed, name } = this.#prepared
    // Those of the pool's clients are.
    const noting = connection as NotingConnection
    this.#connection = noting
    noting.receivers.push(this)
    const { stream } = noting
    // One write for all messages.
    stream.cork()
    try {
      this.#sendBefore(noting)
      this.#parse(noting)
      connection.bind({ portal: '', statement: name, values: this.#values }, true)
      if (!isDescribed) connection.describe({ type: 'P', name: '' }, true)
      connection.execute({ portal: '', rows: '' }, true)
      connection.sync()
    } finally {
      stream.uncork()
    }
  }

  /** Without a sync between them both are one transaction, where the caller's is not open. */
  #sendBefore(connection: NotingConnection): void {
    if (this.#before === undefined) return
    connection.parse({ name: '', text: this.#before, types: [] }, true)
    connection.bind({ portal: '', statement: '', values: [] }, true)
    connection.execute({ portal: '', rows: '' }, true)
  }

  /** Has the server parse the text, once per name. */
  #parse(connection: NotingConnection): void {
    const { name, text } = this.#prepared
    const { parsedStatements, submittedNamedStatements } = connection
    this.wasPrepared = parsedStatements[name] !== undefined
    if (this.wasPrepared || submittedNamedStatements[name] !== undefined) return
    connection.parse({ name, text, types: [] }, true)
    if (name !== '') submittedNamedStatements[name] = text
  }

  override handleRowDescription({ fields }: SentFields): void {
    this.#prepared.fields = fields
  }

  override handleDataRow({ fields, length }: { readonly fields: SentRow; readonly length: number }): void {
    if (this.#isBefore || this.#isOver) return
    if (this.#isDropped) this.#sent = undefined
    // Most statements have one row or none, and a list that grows takes room for seventeen.
    else if (this.#sent === undefined) this.#sent = [fields]
    else this.#sent.push(fields)
    if (this.#meter?.addRow(length) === false) this.#refuse(this.#meter)
  }

  /** The driver keeps what has come of a message until all of it is there. */
  received(bytes: number): void {
    if (this.#meter?.addBytes(bytes) === false) this.#refuse(this.#meter)
  }

  /** Ends with an error, and the connection with it: further data is ignored. The server stops sending when it is gone. */
  #refuse({ atMost }: ByteMeter): void {
    if (this.#isOver) return
    this.#sent = undefined
    const error = new AnswerTooLarge('bytes', atMost)
    const connection = this.#connection
    this.#finish(error)
    if (connection !== undefined) endConnection(connection, error)
  }

  /** Keeps no rows from now on: its caller has left. */
  dropRows(): void {
    this.#isDropped = true
    this.#sent = undefined
  }

  override handleCommandComplete({ text }: { readonly text: string }): void {
    if (this.#isBefore) {
      this.#isBefore = false
      this.name = this.#prepared.name
    } else this.#tag = text
  }

  override handleReadyForQuery(): void {
    this.#prepared.isDescribed = true
    this.#finish(undefined)
  }

  override handleError(error: Error): void {
    if (this.#isBefore) delete this.#connection?.submittedNamedStatements[this.#prepared.name]
    this.#finish(error)
  }

  /** The rows of the model that have these columns, in their order. */
  rowsOf(columns: readonly Column[]): Row[] {
    const prepared = this.#prepared
    const { fields = [] } = prepared
    if (prepared.reading?.columns !== columns) {
      const values = columns.map((column, at) => readColumn(column, fields[at]?.dataTypeID ?? 0, this.#zone))
      const names = columns.filter(({ declared }) => declared === undefined).map(({ property }) => property.name)
      prepared.reading = { columns, values, empty: Object.fromEntries(names.map((name) => [name, null])) }
    }
    const { values, empty } = prepared.reading
    return (this.#sent ?? noRows).map((sent) => {
      const row: Row = { ...empty }
      for (let at = 0; at < columns.length; at++) {
        const text = sent[at] ?? null
        const column = columns[at]
        if (text === null || column === undefined) continue
        const value = values[at]?.(text)
        if (column.declared === undefined) row[column.property.name] = value
        else addUndeclared(row, value, column.declared)
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
    const { receivers = [] } = this.#connection ?? {}
    const place = receivers.indexOf(this)
    if (place >= 0) receivers.splice(place, 1)
    this.callback?.(error)
  }
}
