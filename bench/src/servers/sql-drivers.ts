import { createPool, type ResultSetHeader, type RowDataPacket } from 'mysql2/promise'
import { Pool } from 'pg'
import type { SqlDatabase } from '../databases.ts'
import type { BenchColumn, BenchTable } from './bench-tables.ts'

/** A statement with the values of its parameters. */
export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** A row by its properties. */
export type Row = Record<string, unknown>

/** A database as hand-written servers use it: its driver, and where its SQL differs. */
export interface SqlDriver {
  /** Rows by the names in the statement, which is prepared once per connection. */
  readonly query: (statement: Statement) => Promise<Row[]>
  /** Inserts a row and gives its id. */
  readonly insert: (statement: Statement) => Promise<number>
  /** Runs a statement that gives nothing. */
  readonly run: (text: string) => Promise<unknown>
  /** Writes records, whose values are texts in JSON. */
  readonly fill: (table: BenchTable, json: string) => Promise<unknown>
  /** Looks after what deleted rows leave, and counts again. */
  readonly tidy: (table: string) => Promise<unknown>
  readonly close: () => Promise<void>
  /** The parameter of that number, from 1. */
  readonly parameter: (at: number) => string
  /** A test whether a column is one of a list of values. */
  readonly isOneOf: (column: string, values: readonly number[]) => Statement
  /** An update can return what it changed. */
  readonly returnsChanged: boolean
  /** Selects a column, under the name of its property. */
  readonly select: (column: BenchColumn) => string
  /** The columns whose values come as texts of JSON, and are read here. */
  readonly isText: (column: BenchColumn) => boolean
  /** Writes JSON of the rows of a table, with one more property of each: a list in its order, or the only row. */
  readonly jsonOf: (table: BenchTable, more?: JsonMember) => (rest: JsonRest) => string
  /** The text of such JSON. */
  readonly asText: (json: string) => string
}

/** What follows the columns of a select that gives JSON. */
export interface JsonRest {
  /** From `from` on, up to the order. */
  readonly from: string
  /** The columns that rows are ordered by; absent for the only one. */
  readonly order?: string
  /** From `limit` on; absent for all rows, as a part of another select. */
  readonly page?: string
}

/** A property, and the JSON of it. */
export interface JsonMember {
  readonly name: string
  readonly json: string
}

/** What a record is filled with: the database counts ids. */
function filledOf(columns: readonly BenchColumn[]): { readonly list: string; readonly filled: readonly BenchColumn[] } {
  const filled = columns.filter(({ name }) => name !== 'id')
  return { list: filled.map(({ column }) => column).join(', '), filled }
}

const time = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`

/** A value as `json_agg` writes it, other than by itself. */
const postgresqlJson: Readonly<Partial<Record<BenchColumn['kind'], (column: string) => string>>> = {
  time: (column) => `to_char(${column} at time zone 'UTC', ${time})`,
  zoneless: (column) => `to_char(${column}, ${time})`,
  exact: (column) => `${column}::text`,
  'json text': (column) => `${column}::json`
}

const postgresqlRow: typeof postgresqlJson = {
  zoneless: (column) => `${column} at time zone 'UTC'`,
  'json text': (column) => `${column}::json`
}

function openPostgresql(connectionString: string, max: number): SqlDriver {
  const pool = new Pool({ connectionString, max })
  // The database is dropped after the server, at times while connections still close.
  pool.on('error', () => {})
  const names = new Map<string, string>()
  const nameOf = (text: string): string => {
    const name = names.get(text) ?? `s${names.size}`
    names.set(text, name)
    return name
  }
  const query = async ({ text, values }: Statement): Promise<Row[]> =>
    (await pool.query<Row>({ name: nameOf(text), text, values: [...values] })).rows
  return {
    query,
    insert: async ({ text, values }) => Number((await query({ text: `${text} returning id`, values }))[0]?.['id']),
    run: (text) => pool.query(text),
    fill: ({ name, columns }, json) => {
      const { list, filled } = filledOf(columns)
      const given = filled.map(({ name: property, kind }) => `(given ->> '${property}')::${casts[kind]}`)
      const text = `insert into ${name} (${list}) select ${given.join(', ')} from json_array_elements($1) as given`
      return pool.query(`${text} order by (given ->> 'id')::integer`, [json])
    },
    tidy: (table) => pool.query(`vacuum analyze ${table}`),
    close: () => pool.end(),
    parameter: (at) => `$${at}`,
    returnsChanged: true,
    isOneOf: (column, values) => ({ text: `${column} = any($1)`, values: [values] }),
    select: ({ name, column, kind }) => `${postgresqlRow[kind]?.(column) ?? column} as "${name}"`,
    isText: () => false,
    asText: (json) => `${json}::text`,
    jsonOf: ({ columns }, more) => {
      const values = columns.map(({ name, column, kind }) => `${postgresqlJson[kind]?.(column) ?? column} as "${name}"`)
      const all = [...values, ...(more ? [`${more.json} as "${more.name}"`] : [])].join(', ')
      return ({ from, order, page = '' }) =>
        order === undefined
          ? `(select row_to_json(r) from (select ${all} ${from}) r)`
          : `(select coalesce(json_agg(r), '[]') from (select ${all} ${from} order by ${order}${page}) r)`
    }
  }
}

/** What the texts of values are cast to. */
const casts: Readonly<Record<BenchColumn['kind'], string>> = {
  plain: 'text',
  whole: 'integer',
  number: 'float8',
  flag: 'boolean',
  time: 'timestamptz',
  zoneless: 'timestamp',
  exact: 'numeric',
  json: 'jsonb',
  'json text': 'text'
}

const mysqlTime = (column: string): string => `concat(left(date_format(${column}, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z')`

/** A value as `json_object` writes it, other than by itself. */
const mysqlJson: typeof postgresqlJson = {
  flag: (column) => `json_extract(if(${column}, 'true', 'false'), '$')`,
  time: mysqlTime,
  zoneless: mysqlTime,
  exact: (column) => `cast(${column} as char)`,
  'json text': (column) => `json_compact(${column})`
}

function openMysql(uri: string, connectionLimit: number): SqlDriver {
  const pool = createPool({ uri, timezone: 'Z', connectionLimit })
  const execute = (text: string, values: readonly unknown[]) => pool.execute(text, values.map(asParameter))
  return {
    query: async ({ text, values }) => {
      const [rows] = await execute(text, values)
      return Array.isArray(rows) ? (rows as RowDataPacket[]) : [] // of one statement
    },
    insert: async ({ text, values }) => ((await execute(text, values))[0] as ResultSetHeader).insertId, // it inserts
    run: (text) => pool.query(text),
    fill: ({ name, columns }, json) => {
      const { list, filled } = filledOf(columns)
      const given = filled.map(({ name: property, kind }) => valueOf(property, kind)).join(', ')
      const paths = columns.map(({ name: property }) => `${property} text path '$.${property}'`).join(', ')
      const rows = `json_table(?, '$[*]' columns (${paths})) as given order by cast(id as unsigned)`
      return pool.query(`insert into ${name} (${list}) select ${given} from ${rows}`, [json])
    },
    tidy: (table) => pool.query(`analyze table ${table}`),
    close: () => pool.end(),
    parameter: () => '?',
    returnsChanged: false,
    isOneOf: (column, values) => ({ text: `${column} in (${values.map(() => '?').join(', ')})`, values }),
    select: ({ name, column }) => `${column} as ${name}`,
    isText: ({ kind }) => kind === 'json text',
    asText: (json) => json,
    jsonOf: ({ columns }, more) => {
      const values = columns.map(({ name, column, kind }) => `'${name}', ${mysqlJson[kind]?.(column) ?? column}`)
      const all = [...values, ...(more ? [`'${more.name}', json_compact(${more.json})`] : [])].join(', ')
      const row = `json_object(${all})`
      return ({ from, order, page }) => {
        if (order === undefined) return `(select ${row} ${from})`
        const listOf = (item: string, rows: string): string =>
          `(select concat('[', coalesce(group_concat(${item} order by ${order} separator ','), ''), ']') ${rows})`
        // Nothing outside can be named within a derived table.
        if (page === undefined) return listOf(row, from)
        return listOf('json', `from (select ${row} as json, id, price ${from} order by ${order}${page}) as r`)
      }
    }
  }
}

const valueOf = (property: string, kind: BenchColumn['kind']): string => {
  if (kind === 'flag') return `${property} in ('true', '1')`
  return kind === 'time' || kind === 'zoneless' ? `replace(replace(${property}, 'T', ' '), 'Z', '')` : property
}

/** Binary parameters know numbers, texts and times. */
function asParameter(value: unknown): string | number | Date | null {
  if (typeof value === 'boolean') return Number(value)
  // All others are what the workloads send.
  return value as string | number | Date | null
}

const drivers = { postgresql: openPostgresql, mysql: openMysql }

/** Opens a database. @param max how many connections at most */
export const openDriver = (database: SqlDatabase, url: string, max = 10): SqlDriver => drivers[database](url, max)
