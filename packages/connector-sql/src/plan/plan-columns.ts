import { addColumn, agreedDefault, isNotNull, primaryKey, type TableDesign, typeText } from './define-table.ts'
import { findDrift, mayBeNull, noValue, otherDefault } from './find-drift.ts'
import { type TablePlan, dropColumn, type PlannedStep, step, type StepBack } from './planned-step.ts'
import { sql } from '../sql.ts'
import { hasOtherDefault } from './column-default.ts'
import type { StoredColumn } from '../table/stored-columns.ts'
import { type Column, isMadeByDatabase } from '../table/column.ts'

/**
 * Adds missing columns to an existing table, and changes those that differ from the model. What cannot be changed is noted
 * in `notes`.
 */
export function planColumns(design: TableDesign, plan: TablePlan, notes: Set<string>): readonly PlannedStep[] {
  const { table, state } = plan
  const steps = table.columns.flatMap((column) => {
    const existing = state.columns.get(design.dialect.schema.names.fold(column.name))
    if (existing === undefined) return planMissing(design, plan, column, notes)
    const wanted = typeText(design, column)
    const { change, notes: more } = findDrift(design, { column, existing, wanted, isWanted: isNotNull(design, column) })
    for (const note of more) notes.add(note)
    const defaults = planDefault(design, plan, { column, existing }, notes)
    const what = `the column ${column.name} of ${table.name} as ${wanted}`
    if (change === undefined) return defaults
    const former = design.dialect.schema.changeType?.(table, column, existing.type, existing)
    const loses = `values of the column ${column.name} of ${table.name} that do not fit ${existing.type}`
    const back: StepBack = former === undefined ? { run: [], unknown: loses } : { run: [former], loses }
    return [step('alterColumn', table, what, change, back), ...defaults]
  })
  noteKeys(design, plan, notes)
  noteWide(design, plan, notes)
  return steps
}

function planMissing(
  design: TableDesign,
  { table, state }: TablePlan,
  column: TablePlan['table']['columns'][number],
  notes: Set<string>
): readonly PlannedStep[] {
  const { statements, isRequired: isNeeded, isFilled } = addColumn(design, column)
  noteColumn(design, state, column, { isRequired: isNeeded, hasDefault: isFilled, isKey: false })
  const { required, makeDefault } = column.property
  if (!isFilled && !required && makeDefault !== undefined) notes.add(noValue(table, column))
  else if (isNotNull(design, column) && !isNeeded && !isFilled) notes.add(mayBeNull(table, column))
  const what = `the column ${column.name} of ${table.name}`
  const back = { run: [dropColumn(table, column.name)], loses: what }
  return statements.map((statement, at) =>
    at === 0
      ? { ...step('addColumn', table, what, statement, back), column: { table: table.name, name: column.name } }
      : step('alterColumn', table, `${what} in existing records`, statement)
  )
}

/** Changes the default of a column that has another constant one than its property. Records keep their values. */
function planDefault(
  design: TableDesign,
  { table, state }: TablePlan,
  { column, existing }: { readonly column: Column; readonly existing: StoredColumn },
  notes: Set<string>
): readonly PlannedStep[] {
  const { schema } = design.dialect
  const wanted = agreedDefault(design, column)
  const { defaultText: former } = existing
  if (wanted === undefined || !hasOtherDefault(column.kind, wanted, former)) return []
  if (!schema.changesDefaults) {
    notes.add(otherDefault(table, column, { wanted, former }))
    return []
  }
  state.columns.set(schema.names.fold(column.name), { ...existing, defaultText: wanted })
  const change = (value: string) =>
    sql`alter table ${table.sql} alter column ${column.sql} set default ${sql.raw(value)}`
  const what = `the default of the column ${column.name} of ${table.name}`
  return [step('alterColumn', table, what, change(wanted), { run: [change(former)] })]
}

/** Records planned changes in the state, for later steps. */
export function noteColumn(
  design: TableDesign,
  state: TablePlan['state'],
  column: TablePlan['table']['columns'][number],
  made: Pick<StoredColumn, 'isRequired' | 'hasDefault' | 'isKey'> = madeWithTable(design, column)
): void {
  const { name } = column
  const key = design.dialect.schema.names.fold(name)
  if (state.columns.has(key)) return
  const type = typeText(design, column)
  const unknown = {
    collation: '',
    wide: '',
    mayBeWide: '',
    isPlainlyIndexed: false,
    words: undefined,
    rest: '',
    defaultText: '',
    isComputed: false
  }
  state.columns.set(key, { name, type, baseType: type, ...made, hasOwnDefault: false, ...unknown })
}

function madeWithTable(
  design: TableDesign,
  column: TablePlan['table']['columns'][number]
): Pick<StoredColumn, 'isRequired' | 'hasDefault' | 'isKey'> {
  return {
    isRequired: isNotNull(design, column),
    hasDefault: isMadeByDatabase(column),
    isKey: primaryKey(design).includes(column)
  }
}

/** Notes keys that do not identify or count records as the model requires. */
function noteKeys({ dialect }: TableDesign, { table, state }: TablePlan, notes: Set<string>): void {
  const { fold } = dialect.schema.names
  const ids = primaryKey({ dialect, table })
  const [wanted, existing] = [
    ids.map(({ name }) => fold(name)),
    [...state.columns].filter(([, { isKey }]) => isKey).map(([name]) => name)
  ]
  const isSame = wanted.length === existing.length && wanted.every((name) => existing.includes(name))
  const isUnique = state.indexes.some(({ unique, isPlain, columns }) => unique && isPlain && columns === wanted.join())
  const key = existing.length === 0 ? 'no primary key' : `the primary key (${existing.join()})`
  if (!isSame && !isUnique && ids.length > 0)
    notes.add(
      `the table ${table.name} has ${key}, and the id of ${table.model.name} is (${wanted.join()}): ids may not be unique`
    )
  const uncounted = ids.find((id) => isMadeByDatabase(id) && state.columns.get(fold(id.name))?.hasDefault === false)
  if (uncounted !== undefined)
    notes.add(
      `the column ${uncounted.name} of ${table.name} does not generate numbers: records without an id are refused`
    )
}

/** Notes columns whose collations take different texts for equal. */
function noteWide({ dialect }: TableDesign, { table, state }: TablePlan, notes: Set<string>): void {
  const { fold } = dialect.schema.names
  const widths = new Map<string, string[]>()
  for (const { kind, name } of table.columns) {
    const wide = kind === 'text' ? (state.columns.get(fold(name))?.wide ?? '') : ''
    if (wide !== '') widths.set(wide, [...(widths.get(wide) ?? []), name])
  }
  for (const [wide, columns] of widths)
    notes.add(
      `the table ${table.name} compares strings by ${wide} (${columns.join(', ')}): different strings may count as equal, including ids and unique values`
    )
}

/** Notes columns of generated properties for which the database has no values: migrations do not write expressions. */
export function noteGenerated(
  { dialect }: Pick<TableDesign, 'dialect'>,
  { table, state }: TablePlan,
  notes: Set<string>
): void {
  for (const { name, property } of table.columns) {
    const found = state.columns.get(dialect.schema.names.fold(name))
    if (found === undefined || property.id || !property.generated || found.isComputed || found.hasDefault) continue
    notes.add(
      `the column ${name} of ${table.name} has no values of the database, but ${table.model.name}.${property.name} is generated: give it an expression or a default`
    )
  }
}

/** Notes columns that every record must have, but that no model writes. */
export function noteForeign(
  { dialect }: Pick<TableDesign, 'dialect'>,
  { table, siblings, state }: TablePlan,
  notes: Set<string>
): void {
  const { fold } = dialect.schema.names
  const written = new Set([table, ...siblings].flatMap(({ columns }) => columns.map(({ name }) => fold(name))))
  for (const [key, { name, isRequired: isNeeded, hasDefault }] of state.columns)
    if (isNeeded && !hasDefault && !written.has(key))
      notes.add(
        `the column ${name} of ${table.name} is not null without a default, and no model has it: new records are refused`
      )
}
