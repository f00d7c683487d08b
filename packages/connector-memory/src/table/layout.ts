import { createOrderShapes, createPredicateShapes } from '@modelwire/core/connector'
import type { ModelType, OrderShapes, PredicateShapes, PropertyType } from '@modelwire/core/connector'
import { createColumn, withoutIndexes } from './column.ts'
import type { Column } from './column.ts'
import { makeIdKey } from './id-key.ts'
import type { MakeIdKey } from './id-key.ts'
import { createNumberLists } from './number-list.ts'
import type { NumberList } from './number-list.ts'
import { compileRowShape } from './row-shape.ts'
import type { ShapeRow } from './row-shape.ts'

/** The compiled facts of a table's model: compiled once, and again when the model gets other properties. */
export interface Layout {
  /** The model's list of properties that this was made from. */
  readonly properties: readonly PropertyType[]
  readonly id: PropertyType | undefined
  readonly makeKey: MakeIdKey
  readonly shape: ShapeRow
  /** Properties with an index; the id is among them. */
  readonly columns: ReadonlyMap<string, Column>
  /** Columns without duplicates, the id left out. */
  readonly uniques: readonly Column[]
  /** Of all properties that are numbers, dates or booleans. */
  readonly numbers: readonly NumberList[]
  /** Compiled conditions and orders, kept apart from those of other models so that V8 sees rows of one form only. */
  readonly predicates: PredicateShapes
  readonly orders: OrderShapes
}

/** Compiles the layout of `model`. Indexes of `before` stay in use. */
export function createLayout(model: ModelType, before?: Layout): Layout {
  const { properties, idProperty } = model
  const indexed = properties.filter((property) => property.index || property.unique || property === idProperty)
  const columns = indexed.map((property) => keepColumn(createColumn(property), before))
  return {
    properties,
    id: idProperty,
    makeKey: makeIdKey(idProperty?.type),
    shape: compileRowShape(properties.map(({ name }) => name)),
    columns: new Map(columns.map((column) => [column.name, column])),
    uniques: columns.filter((column) => column.unique && column.name !== idProperty?.name),
    numbers: properties.flatMap(createNumberLists),
    predicates: createPredicateShapes(),
    orders: createOrderShapes()
  }
}

/** The layout of a copy of a table: with indexes of its own, which are still to be built. */
export function copyLayout(layout: Layout): Layout {
  const columns = new Map([...layout.columns].map(([name, column]) => [name, withoutIndexes(column)]))
  return {
    ...layout,
    columns,
    uniques: layout.uniques.map((column) => columns.get(column.name) ?? withoutIndexes(column)),
    numbers: layout.numbers.map((list) => ({ ...list, values: undefined }))
  }
}

function keepColumn(column: Column, before: Layout | undefined): Column {
  const old = before?.columns.get(column.name)
  return old !== undefined && old.kind === column.kind && old.unique === column.unique ? old : column
}
