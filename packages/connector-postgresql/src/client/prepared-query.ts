import { addUndeclared, type Column, type RawRow, type Zone } from '@modelwire/connector-sql'
import { type AnswerBounds, AnswerTooLarge, type Row } from '@modelwire/core/connector'
import type { Connection, FieldDef, Pool, PoolClient } from 'pg'
import Query from 'pg/lib/query.js'
import { endConnection, type GuardedConnection, type Receiver } from './guarded-client.ts'
import { readAsDriver, readColumn, type ReadValue } from '../postgresql-types.ts'
import type { ParameterValue } from '../values/timestamps.ts'
import { createHash } from 'node:crypto'

/** The prepared statement with this text on one connection; undefined if it is not prepared. */
export type PreparedStatements = (text: string) => Prepared | undefined

/** Whether the connections of a pool use named prepared statements. */
export interface StatementNames {
  isOn: boolean
}

/** Statements that one connection keeps prepared. The server keeps a plan for each until the connection ends. */
const keptStatements = 500

/** Bytes that may come without a row: the server's other messages, which are short. */
const otherMessages = 64 * 1024

/** Counts the bytes of a result while it is received. */
export class ByteMeter {
  readonly atMost: AnswerBounds
  #ofRows = 0
  #sinceRow = 0
  #hadRow = false

  constructor(atMost: AnswerBounds) {
    this.atMost = atMost
  }

  /** Counts a row. False if it makes the result too large. */
  addRow(bytes: number): boolean {
    this.#hadRow = true
    this.#ofRows += bytes
    return this.#ofRows <= this.atMost.bytes
  }

  /** Counts received bytes, including complete rows. False if an incomplete row makes the result too large. */
  addBytes(bytes: number): boolean {
    this.#sinceRow = this.#hadRow ? 0 : this.#sinceRow + bytes
    this.#hadRow = false
    return this.#ofRows + this.#sinceRow - otherMessages <= this.atMost.bytes
  }
}

/** A statement on one connection: after parsing, the server knows it by its name. */
export interface Prepared {
  readonly name: string
  readonly text: string
  /** The columns of its rows; undefined until the server has described them, or if there are none. */
  fields: readonly FieldDef[] | undefined
  isDescribed: boolean
  /** How to read rows, for the columns of the last result. */
  reading:
    | { readonly columns: readonly Column[]; readonly values: readonly ReadValue[]; readonly empty: Row }
    | undefined
}

/** Further options of a query. */
export interface QueryExtras {
  /** A statement that only affects this one: it is sent first, and its result is discarded. */
  readonly before?: string | undefined
  /** Maximum size of the result, beyond which it is refused. */
  readonly atMost?: AnswerBounds | undefined
  /** Milliseconds for the response, if different from the connection's. */
  readonly timeout?: number | undefined
  /** The zone of times without one; UTC when absent. */
  readonly zone?: Zone | undefined
}

/** The values of a row as received from the server. */
type SentRow = readonly (string | null)[]

/** Members of the driver's connection that its types omit. */
interface NotingConnection extends GuardedConnection {
  /** Texts of statements by name. */
  readonly parsedStatements: Readonly<Record<string, string | undefined>>
  /** The names of statements that the server has not confirmed yet. */
  readonly submittedNamedStatements: Record<string, string | undefined>
}

const noRows: readonly SentRow[] = []

/** The same columns, in whatever list: inserts make one each time. */
const isSame = (one: readonly Column[] | undefined, other: readonly Column[]): boolean =>
  one === other || (one?.length === other.length && one.every((column, at) => column === other[at]))

interface SentFields {
  readonly fields: readonly FieldDef[]
}

/**
 * A query of the driver for a prepared statement. The server describes the rows only the first time, and the values of a
 * row stay in their received form until they are decoded.
 * @see pg, docs on submittable queries; pg-cursor is one
 */
export class PreparedQuery extends Query implements Receiver {
  /** The driver's name for this query's time limit in milliseconds. */
  readonly query_timeout: number | undefined
  /** The server has already confirmed that it parsed the text under the name. */
  wasPrepared = false
  /** Undefined until there is one. */
  #sent: SentRow[] | undefined
  /** The command tag, such as `UPDATE 3` or `INSERT 0 1`. */
  #tag = ''
  readonly #prepared: Prepared
  readonly #values: ParameterValue[]
  readonly #before: string | undefined
  readonly #meter: ByteMeter | undefined
  readonly #zone: Zone | undefined
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

  /** Rows that have come. */
  get rowCount(): number {
    return this.#sent?.length ?? 0
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
      this.askForRows(connection)
    } finally {
      stream.uncork()
    }
  }

  /** Asks for all rows, and ends the transaction of the statement. */
  askForRows(connection: Connection): void {
    connection.execute({ portal: '', rows: '' }, true)
    connection.sync()
  }

  /** Without a sync in between, both are one transaction, unless the caller's is open. */
  #sendBefore(connection: NotingConnection): void {
    if (this.#before === undefined) return
    connection.parse({ name: '', text: this.#before, types: [] }, true)
    connection.bind({ portal: '', statement: '', values: [] }, true)
    connection.execute({ portal: '', rows: '' }, true)
  }

  /** Lets the server parse the text, once per name. */
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

  /** Counts received data; the driver buffers a message until it is complete. */
  received(bytes: number): void {
    if (this.#meter?.addBytes(bytes) === false) this.#refuse(this.#meter)
  }

  /** Fails the query, and closes the connection: further data is ignored. The server stops sending once it is closed. */
  #refuse({ atMost }: ByteMeter): void {
    if (this.#isOver) return
    this.#sent = undefined
    const error = new AnswerTooLarge('bytes', atMost)
    const connection = this.#connection
    this.#finish(error)
    if (connection !== undefined) endConnection(connection, error)
  }

  /** Forgets the rows that have come so far. */
  forgetRows(): void {
    this.#sent = undefined
  }

  /** Discards rows from now on: its caller has disconnected. */
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

  /** The rows of the model with these columns, in order. */
  rowsOf(columns: readonly Column[]): Row[] {
    const prepared = this.#prepared
    const { fields = [] } = prepared
    if (!isSame(prepared.reading?.columns, columns)) {
      const values = columns.map((column, at) => readColumn(column, fields[at]?.dataTypeID ?? 0, this.#zone))
      const names = columns.filter(({ declared }) => declared === undefined).map(({ property }) => property.name)
      prepared.reading = { columns, values, empty: Object.fromEntries(names.map((name) => [name, null])) }
    }
    const { values = [], empty = {} } = prepared.reading ?? {}
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

  /** The rows by the names of the selected columns. */
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

  /** The command of the statement, and the number of affected rows. */
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

/**
 * How the server learns the time limit of statements: when a connection starts, which costs nothing; or, if a pooler
 * refuses or ignores that, with each statement, since it may be the only one that runs on this server connection.
 */
export interface StatementLimit {
  /** Sent before each statement that reads or writes; undefined if the server already knows the limit. */
  before: string | undefined
}

/** The statement that sets the limit for a transaction, which a statement is where none is open. */
export const setLimit = (milliseconds: number): string =>
  `select set_config('statement_timeout', '${milliseconds}', true)`

/** The prepared statements of one connection. Those that change the schema, or end a transaction, are not prepared. */
export function createPreparedStatements(names: StatementNames): PreparedStatements {
  const statements = new Map<string, Prepared>()
  return (text) => {
    if (!names.isOn) return undefined
    const cached = statements.get(text)
    if (cached !== undefined) return cached
    if (statements.size >= keptStatements || !/^(?:select|with|insert|update|delete)/.test(text)) return undefined
    const prepared = { ...unnamed(text), name: nameOf(text) }
    statements.set(text, prepared)
    return prepared
  }
}

/** A statement that the server does not keep. */
export function unnamed(text: string): Prepared {
  return { name: '', text, fields: undefined, isDescribed: false, reading: undefined }
}

/**
 * One name for one text, across clients: a pooler may give a connection of the server to several clients, and what one
 * of them has prepared is executed for another that uses the name. The server infers the types of the parameters, the
 * same ones for the same text.
 */
function nameOf(text: string): string {
  return `modelwire_${createHash('sha256').update(text).digest('base64url').slice(0, 24)}`
}

/** The time limit of a pool's statements, with which its connections are opened. */
export function createStatementLimit(): StatementLimit {
  return { before: undefined }
}

/** Has the limit sent with each statement of a pool from now on; connections start without it. */
function sendWithStatements(limit: StatementLimit, { options }: Pool): void {
  if (!options.statement_timeout) return
  limit.before = setLimit(options.statement_timeout)
  options.statement_timeout = undefined
}

/** True for an error with which a pooler refuses to start a connection with a limit; from then on it is sent differently. */
export function isRefused(limit: StatementLimit, pool: Pool, error: Error | undefined): boolean {
  if (error === undefined || !/startup parameter|statement_timeout/i.test(error.message)) return false
  sendWithStatements(limit, pool)
  return true
}

/** Checks on a new connection that the server applies the limit, since poolers may accept parameters and ignore them. */
export async function checkLimit(limit: StatementLimit, pool: Pool, client: PoolClient): Promise<void> {
  if (!pool.options.statement_timeout) return
  const query = new PreparedQuery(unnamed('show statement_timeout'), [], {
    timeout: pool.options.connectionTimeoutMillis
  })
  await new Promise<void>((resolve, reject) => {
    query.callback = (failure) => (failure ? reject(failure) : resolve())
    client.query(query)
  })
  const [row] = query.namedRows()
  if (/^0\D*$/.test(String(row?.['statement_timeout']))) sendWithStatements(limit, pool)
}
