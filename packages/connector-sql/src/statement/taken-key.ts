import type { TakenKey } from '@modelwire/core/connector'
import type { TakenIndex } from '../dialect/fault.ts'
import { fitName } from '../table/fit-name.ts'
import type { SqlTable, TableDialect } from '../table/sql-table.ts'
import { indexesOf } from '../table/table-indexes.ts'

interface Candidate {
  /** Names of its columns. */
  readonly columns: readonly string[]
  /** Its name if a migration made it; absent for an id. */
  readonly name?: string
  /** Its key in the model's `indexes`. */
  readonly declared?: string | undefined
  readonly properties: readonly string[]
}

/**
 * What the model declares about the index that refused a record: by its columns if the database names them, else by the
 * name that a migration gives it. An index that no model declares keeps its name.
 */
export function takenKey(dialect: TableDialect, table: SqlTable, taken: TakenIndex): TakenKey {
  const { fold } = dialect.schema.names
  const candidates = candidatesOf(table)
  const sameName = (candidate: Candidate): boolean =>
    taken.name !== undefined &&
    candidate.name !== undefined &&
    fold(fitName(dialect, candidate.name)) === fold(taken.name)
  const found = findCandidates(candidates, taken, fold)
  const match = found === undefined ? candidates.find(sameName) : (found.find(sameName) ?? found[0])
  if (match !== undefined) return { index: match.declared, properties: match.properties }
  return { index: taken.name, properties: propertiesOf(table, taken, fold) }
}

/** Those with the columns; undefined if the database does not name any. */
function findCandidates(
  candidates: readonly Candidate[],
  { columns, isPrimary }: TakenIndex,
  fold: (name: string) => string
): readonly Candidate[] | undefined {
  if (isPrimary === true) return candidates.filter(({ name }) => name === undefined)
  if (columns === undefined) return undefined
  const keyOf = (names: readonly string[]): string => JSON.stringify(names.map(fold).toSorted())
  const key = keyOf(columns)
  return candidates.filter((candidate) => keyOf(candidate.columns) === key)
}

/** The id comes first, and properties before the entries of `indexes`. */
function candidatesOf(table: SqlTable): readonly Candidate[] {
  const ids = table.columns.filter(({ property }) => property.id)
  const id = { columns: ids.map(({ name }) => name), properties: ids.map(({ property }) => property.name) }
  const indexes = indexesOf(table).filter(({ unique }) => unique)
  const declared = indexes.map(({ parts, ...index }) => ({
    name: index.name,
    declared: index.declared,
    columns: parts.map(({ column }) => column.name),
    properties: parts.map(({ column }) => column.property.name)
  }))
  return ids.length === 0 ? declared : [id, ...declared]
}

/** Those of all columns, if each belongs to one: an expression does not. */
function propertiesOf(
  { columns }: SqlTable,
  { columns: names = [] }: TakenIndex,
  fold: (name: string) => string
): readonly string[] {
  const properties = names.flatMap((name) => {
    const column = columns.find((each) => each.declared === undefined && fold(each.name) === fold(name))
    return column === undefined ? [] : [column.property.name]
  })
  return properties.length === names.length ? properties : []
}
