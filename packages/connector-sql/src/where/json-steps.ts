import { sql, type Sql } from '../sql.ts'
import type { Column } from '../table/column.ts'

/** A step of a path into JSON: a property, or an item of a list. */
export type JsonStep = { readonly index: number } | { readonly key: string }

/** The steps of a path into a column. A whole number leads to an item of a list, unless it is the name of a property. */
export function jsonSteps({ declared }: Pick<Column, 'declared'>, path: readonly string[]): readonly JsonStep[] {
  return path.map((step, at) => {
    const isName = declared !== undefined && at === 0
    return !isName && /^(?:0|[1-9]\d{0,8})$/.test(step) ? { index: Number(step) } : { key: step }
  })
}

/** The step as JSON paths write it: `."name"` or `[0]`. */
export function writeStep(step: JsonStep): string {
  return 'index' in step ? `[${step.index}]` : `.${JSON.stringify(step.key)}`
}

/** Where a path has led so far: the tables that were opened on the way, and the JSON that is there. */
export interface JsonPlace {
  readonly rows: readonly Sql[]
  readonly json: Sql
}

/** The condition that something is there. */
export function isFound({ rows, json }: JsonPlace): Sql {
  return rows.length === 0
    ? sql`${json} is not null`
    : sql`exists (select 1 from ${sql.join(rows)} where ${json} is not null)`
}
