import type { AnswerBounds } from '@modelwire/core/connector'

/** A row as the driver returns it. */
export type RawRow = Readonly<Record<string, unknown>>

/** A statement for the database: its text, and the values of its parameters in order. */
export interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
  /** Reads one record by its id: it waits for no lock, and may share its connection with others of its kind. */
  readonly isLookup?: true
  /** The limits of its rows: reading stops when there are more bytes. The limit of rows is in its text. */
  readonly atMost?: AnswerBounds | undefined
  /** Aborted when no caller waits for the result any more: it may be cancelled. */
  readonly signal?: AbortSignal | undefined
  /** Its text limits it to a page of rows: they may be read in one piece. */
  readonly readsFew?: boolean | undefined
}

/** How a database writes names and parameters. */
export interface Notation {
  /** Quotes a name safely. */
  readonly quote: (name: string) => string
  /** The placeholder of the parameter at a position, from 1. */
  readonly placeholder: (place: number) => string
}

/** A statement under construction. */
export interface StatementDraft {
  text: string
  readonly values: unknown[]
  readonly notation: Notation
}

/**
 * A piece of a statement, which adds itself to a draft. Values in it become parameters, names are quoted by the dialect.
 * Pieces are functions, since no value of a record is one: nothing else can get into a statement as text.
 */
export type Sql = (draft: StatementDraft) => void

/** Makes a piece from a template, in which pieces are inserted and everything else becomes a parameter. */
export function sql(texts: TemplateStringsArray, ...parts: readonly unknown[]): Sql {
  return (draft) => {
    draft.text += texts[0] ?? ''
    for (let at = 0; at < parts.length; at++) {
      add(draft, parts[at])
      draft.text += texts[at + 1] ?? ''
    }
  }
}

function add(draft: StatementDraft, part: unknown): void {
  // The only functions that come here are pieces.
  if (typeof part === 'function') (part as Sql)(draft)
  else draft.text += draft.notation.placeholder(draft.values.push(part))
}

const comma: Sql = (draft) => {
  draft.text += ', '
}

/** A quoted name, or several with dots between them. */
sql.id = (...names: readonly string[]): Sql => {
  // Columns are written again and again, for one database.
  let written: { readonly notation: Notation; readonly text: string } | undefined
  return (draft) => {
    const { notation } = draft
    if (written?.notation !== notation)
      written = { notation, text: names.map((name) => notation.quote(name)).join('.') }
    draft.text += written.text
  }
}

/** Text of the connector's own. Nothing from outside may be in it. */
sql.raw =
  (text: string): Sql =>
  (draft) => {
    draft.text += text
  }

/** A number that stands in the text. */
sql.lit = (value: number): Sql => sql.raw(String(value))

/** The pieces and values with `separator` between them, a comma when absent. */
sql.join =
  (parts: readonly unknown[], separator: Sql = comma): Sql =>
  (draft) => {
    for (let at = 0; at < parts.length; at++) {
      if (at > 0) separator(draft)
      add(draft, parts[at])
    }
  }

/** Writes the whole statement. */
export function writeStatement(notation: Notation, statement: Sql): Statement {
  const draft: StatementDraft = { text: '', values: [], notation }
  statement(draft)
  return { sql: draft.text, parameters: draft.values }
}

/** A condition that matches no row, in every dialect. */
export const nothing: Sql = sql`1 = 0`

/** A condition that matches every row, in every dialect. */
export const everything: Sql = sql`1 = 1`

/** Matches if all of the conditions do. */
export function allOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? everything : sql`(${sql.join(conditions, sql` and `)})`
}

/** Matches if one of the conditions does. */
export function anyOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? nothing : sql`(${sql.join(conditions, sql` or `)})`
}

/** True if `condition` is false or unknown, unlike SQL's own `not`. */
export function isNotTrue(condition: Sql): Sql {
  return sql`(${condition}) is not true`
}

/** True for a statement that changes nothing. */
export function isRead(statement: Pick<Statement, 'sql'>): boolean {
  return /^(?:select|with) /.test(statement.sql)
}
