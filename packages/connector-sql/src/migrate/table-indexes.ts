import { isPlainObject, type ModelType } from '@modelwire/core/connector'
import type { Column } from '../table/column.ts'

/** What of a table its indexes follow from. */
interface IndexedTable {
  readonly name: string
  readonly model: Pick<ModelType, 'definition'>
  readonly columns: readonly Column[]
  readonly byProperty: ReadonlyMap<string, Column>
}

/** A column of an index. */
export interface IndexPart {
  readonly column: Column
  readonly descending: boolean
}

/** An index that a model requires. */
export interface TableIndex {
  readonly name: string
  readonly parts: readonly IndexPart[]
  readonly unique: boolean
}

/**
 * The indexes of `index` and `unique` properties, and of the model's `indexes`, in all of LoopBack's ways of writing them.
 * @see LoopBack 3: loopback-connector-postgresql, lib/migration.js, buildIndexes
 */
export function indexesOf(table: IndexedTable): readonly TableIndex[] {
  return [...propertyIndexes(table), ...modelIndexes(table)]
}

function propertyIndexes({ name, columns }: IndexedTable): readonly TableIndex[] {
  return columns
    .filter(({ property }) => !property.id && (property.index || property.unique))
    .map((column) => ({
      name: `${name}_${column.name}_${column.property.unique ? 'key' : 'idx'}`,
      parts: [{ column, descending: false }],
      unique: column.property.unique
    }))
}

function modelIndexes(table: IndexedTable): readonly TableIndex[] {
  const { indexes = {} } = table.model.definition
  return Object.entries(indexes).flatMap(([name, written]) => {
    if (!isPlainObject(written)) return []
    const parts = readKeys(written).flatMap(([key, order]) => {
      const column = table.byProperty.get(key) ?? table.columns.find((each) => each.name === key)
      return column === undefined ? [] : [{ column, descending: order === -1 }]
    })
    return parts.length === 0 ? [] : [{ name, parts, unique: isUnique(written) }]
  })
}

/** `{ keys: { a: 1 } }`, `{ keys: ['a'] }`, `{ columns: 'a, b' }` or `{ a: 1 }`. */
function readKeys(written: Readonly<Record<string, unknown>>): readonly (readonly [name: string, order: unknown])[] {
  const { keys, columns } = written
  if (typeof columns === 'string') return columns.split(',').map((name) => [name.trim().replaceAll(/["`]/g, ''), 1])
  if (Array.isArray(keys)) return keys.map((name) => [String(name), 1])
  if (isPlainObject(keys)) return Object.entries(keys)
  return Object.entries(written).filter(([, order]) => order === 1 || order === -1)
}

function isUnique({ options, kind, unique }: Readonly<Record<string, unknown>>): boolean {
  if (unique === true || (typeof kind === 'string' && /unique/i.test(kind))) return true
  return isPlainObject(options) && options['unique'] === true
}
