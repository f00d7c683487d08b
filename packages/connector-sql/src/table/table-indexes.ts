import { indexKeys, isUniqueIndex, type ModelType } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import type { Column } from './column.ts'

/** The parts of a table that its indexes derive from. */
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
  /** Its key in the model's `indexes`; absent for the index of a property. */
  readonly declared?: string
}

/**
 * The indexes of `index` and `unique` properties, and of the model's `indexes`, in all forms that LoopBack accepts.
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
    const parts = indexKeys(written).flatMap(([key, order]) => {
      const column = table.byProperty.get(key) ?? table.columns.find((each) => each.name === key)
      return column === undefined ? [] : [{ column, descending: order === -1 }]
    })
    return parts.length === 0 ? [] : [{ name, parts, unique: isUniqueIndex(written), declared: name }]
  })
}
