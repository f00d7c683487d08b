import {
  type Condition,
  type Row,
  compileOptionalWhere,
  compileCondition,
  type ModelType
} from '@modelwire/core/connector'
import { repository, type RowTest, serverCall, logicalKeys } from '@modelwire/core/plugin'
import { comparableJson, exactJson, isPlainObject } from '@modelwire/server'
import type { Where } from './rows-of.ts'

/** The property that a key starts at. */
const propertyOf = (key: string): string => key.split('.')[0] ?? key

/** A condition of a rule, in the forms that queries and writes need. Each is undefined for every record. */
export interface RowsCondition {
  /** For a statement: the database may follow relations itself. */
  readonly condition: Condition | undefined
  /** With keys instead of conditions on related records, as of now. */
  readonly asWhere: () => Promise<Where | undefined>
  readonly testRows: () => Promise<RowTest | undefined>
  /** Whether a record meets the condition. */
  readonly matches: (row: Row) => Promise<boolean>
  readonly admitsPatch: (patch: Row) => Promise<boolean>
}

const never: Condition = { kind: 'never' }

/** There are no such records. */
const noRows: RowsCondition = {
  condition: never,
  asWhere: async () => ({ or: [] }),
  testRows: async () => ({ matches: () => false, properties: new Set(), key: 'none', hasExactKey: true }),
  matches: async () => false,
  admitsPatch: async () => true
}

/** Data written to several records, as well as a record that consists only of this data. */
interface Written {
  readonly model: ModelType
  readonly names: ReadonlySet<string>
  readonly draft: Row
}

const partsOf = (value: unknown): readonly Where[] => (Array.isArray(value) ? value.filter(isPlainObject) : [])

/** Whether a condition holds of every record once the patch is written, whatever else the record holds. */
function holdsByPatch(where: Where, written: Written): boolean {
  const { model, names, draft } = written
  return Object.entries(where).every(([key, value]) => {
    if (key === 'and') return partsOf(value).every((part) => holdsByPatch(part, written))
    if (key === 'or') return partsOf(value).some((part) => holdsByPatch(part, written))
    const clause = { [key]: value }
    if (!keysIn(clause).every((name) => names.has(propertyOf(name)))) return false
    const condition = compileOptionalWhere(model, clause)
    return condition === undefined || compileCondition(condition).matches(draft)
  })
}

/** What is written to all records has to satisfy every condition that it affects. */
function admitsPatch(model: ModelType, where: Where, patch: Row): boolean {
  const names = new Set(Object.keys(patch).map(propertyOf))
  const touched = clausesOf(where).filter((clause) => keysIn(clause).some((key) => names.has(propertyOf(key))))
  if (touched.length === 0) return true
  const draft = repository.draftInstance(model, { ...patch })
  return touched.every((clause) => holdsByPatch(clause, { model, names, draft }))
}

/**
 * Compiles the condition of a rule.
 * @param where undefined: no records match
 */
export async function rowsCondition(model: ModelType, where: Where | undefined): Promise<RowsCondition> {
  if (where === undefined) return noRows
  const resolved = await repository.resolveRelatedWhere(model, where, serverCall())
  // A condition goes in, so one comes out.
  const asWhere = async (): Promise<Where> =>
    (await repository.resolveRelatedWhere(model, where, serverCall(), true)) as Where
  const test = (keyed: Where): RowTest => {
    const condition = compileOptionalWhere(model, keyed)
    const matches = condition === undefined ? (): boolean => true : compileCondition(condition).matches
    const exact = exactJson(keyed)
    const properties = new Set(keysIn(keyed).map(propertyOf))
    return { matches, properties, key: exact ?? comparableJson(keyed) ?? '', hasExactKey: exact !== undefined }
  }
  const whereFor = (row: Row): Promise<Where> => repository.resolveWhereOfRecord(model, where, row)
  return {
    condition: compileOptionalWhere(model, resolved),
    asWhere,
    testRows: async () => test(await asWhere()),
    matches: async (row) => test(await whereFor(row)).matches(row),
    admitsPatch: async (patch) => admitsPatch(model, await whereFor(patch), patch)
  }
}

/** The keys of a condition, at every depth; what joins others is none, unless it holds no list. */
function keysIn(where: Where): readonly string[] {
  return Object.entries(where).flatMap(([key, value]) => {
    if (!logicalKeys.has(key) || !Array.isArray(value)) return [key]
    return value.flatMap((part: unknown) => (isPlainObject(part) ? keysIn(part) : []))
  })
}

/** The conditions all of which have to hold. */
function clausesOf(where: Where): readonly Where[] {
  return Object.entries(where).flatMap(([key, value]) =>
    key === 'and' && Array.isArray(value)
      ? value.flatMap((part: unknown) => (isPlainObject(part) ? clausesOf(part) : []))
      : [{ [key]: value }]
  )
}
