import type { Row } from '../contract/row.ts'
import type { ModelType } from '../contract/model-type.ts'

/** Rows with what an answer shows of them. */
export interface FoundRows {
  readonly rows: readonly Row[]
  readonly fields?: ReadonlySet<string> | undefined
  readonly related?: readonly Record<string, unknown>[] | undefined
}

/**
 * Stored rows on their way to a client. Related records lie beside the rows, so that stored objects are neither copied nor
 * changed; whoever serializes leaves out hidden properties and what `fields` does not name.
 */
export class Found {
  readonly model: ModelType
  readonly rows: readonly Row[]
  readonly fields: ReadonlySet<string> | undefined
  /** One object of related values per row. */
  readonly related: readonly Record<string, unknown>[] | undefined
  /** The answer is the first row alone. */
  readonly single: boolean

  constructor(model: ModelType, { rows, fields, related }: FoundRows, single: boolean) {
    this.model = model
    this.rows = rows
    this.fields = fields
    this.related = related
    this.single = single
  }
}

/** The JSON text of records as the database made it: what `Found` would be written as. */
export class FoundText {
  readonly model: ModelType
  readonly text: string

  constructor(model: ModelType, text: string) {
    this.model = model
    this.text = text
  }
}

/** Some of the rows, in the order of `positions`; a row may come twice. */
export function pickRows({ model, rows, fields, related, single }: Found, positions: readonly number[]): Found {
  const picked = {
    rows: positions.map((at) => rows[at] ?? {}),
    fields,
    related: related && positions.map((at) => related[at] ?? {})
  }
  return new Found(model, picked, single)
}
