import {
  createShapes,
  isComposite,
  keyTextOf,
  type ModelType,
  type PropertyType,
  type Row
} from '@modelwire/core/connector'
import { createColumn, withoutIndexes, type Column } from './column.ts'
import { makeIdKey, type MakeIdKey } from './id-key.ts'
import { createNumberLists, type NumberList } from './number-list.ts'
import { createUniqueHashes, type UniqueHash } from './unique-hash.ts'

/** The compiled facts of a table's model: compiled once, and again when the model's properties change. */
export interface Layout extends ReturnType<typeof createShapes> {
  /** The model's list of properties from which this was made. */
  readonly properties: readonly PropertyType[]
  /** Rows have no value of its name where several properties are the id: `idOf` returns it. */
  readonly id: PropertyType | undefined
  readonly idOf: (row: Row) => unknown
  /** The properties that are the id. */
  readonly key: readonly PropertyType[]
  readonly makeKey: MakeIdKey
  readonly shape: ShapeRow
  /** Properties with an index; the id is among them. */
  readonly columns: ReadonlyMap<string, Column>
  /** Unique columns, except the id. */
  readonly uniques: readonly Column[]
  /** The unique ones of the model's `indexes`. */
  readonly uniqueIndexes: readonly UniqueHash[]
  /** For all properties that are numbers, dates or booleans. */
  readonly numbers: readonly NumberList[]
}

/**
 * Makes rows of one shape: all declared properties in declared order, undefined if `row` has no value, followed by any
 * others. V8 reads rows of one shape several times faster than rows whose properties were added in different orders.
 */
export type ShapeRow = (row: Row) => Row

/** Compiles the function that gives rows the shape of a model with the properties `names`. */
export function compileRowShape(names: readonly string[]): ShapeRow {
  // Names come from model definitions and get into the code only as the text that JSON.stringify makes of them.
  // oxlint-disable-next-line no-implied-eval
  const makeDeclared = new Function('row', `return {${names.map(writeProperty).join(', ')}}`) as ShapeRow
  const declared: ReadonlySet<string> = new Set(names)
  return (row) => {
    const shaped = makeDeclared(row)
    for (const name of Object.keys(row))
      if (!declared.has(name) && row[name] !== undefined) setOwn(shaped, name, row[name])
    return shaped
  }
}

function writeProperty(name: string): string {
  const key = JSON.stringify(name)
  // A declared name that every object inherits, such as toString, counts only where the row has it itself.
  const value = name in Object.prototype ? `Object.hasOwn(row, ${key}) ? row[${key}] : undefined` : `row[${key}]`
  // In brackets even __proto__ is a property like any other; elsewhere they would cost V8's quick way of making objects.
  return name === '__proto__' ? `[${key}]: ${value}` : `${key}: ${value}`
}

/** Sets an own property of any name. */
export function setOwn(row: Row, name: string, value: unknown): void {
  if (name !== '__proto__') row[name] = value
  else Object.defineProperty(row, name, { value, enumerable: true, configurable: true, writable: true })
}

/** Compiles the layout of `model`. Indexes of `before` are reused. */
export function createLayout(model: ModelType, before?: Layout): Layout {
  const { properties, idProperty, key } = model
  const idName = idProperty?.name ?? ''
  const indexed = properties.filter((property) => property.index || property.unique || key.includes(property))
  const columns = indexed.map((property) => keepColumn(columnOf(model, property), before))
  return {
    properties,
    id: idProperty,
    idOf: isComposite(model) ? (row) => keyTextOf(model, row) : (row) => row[idName],
    key,
    makeKey: makeIdKey(idProperty?.type),
    shape: compileRowShape(properties.map(({ name }) => name)),
    columns: new Map(columns.map((column) => [column.name, column])),
    uniques: columns.filter((column) => column.unique && column.name !== idProperty?.name),
    uniqueIndexes: createUniqueHashes(model),
    numbers: properties.flatMap(createNumberLists),
    ...createShapes()
  }
}

/** The layout of a copy of a table, with separate indexes that are not built yet. */
export function copyLayout(layout: Layout): Layout {
  const columns = new Map([...layout.columns].map(([name, column]) => [name, withoutIndexes(column)]))
  return {
    ...layout,
    columns,
    uniques: layout.uniques.map((column) => columns.get(column.name) ?? withoutIndexes(column)),
    uniqueIndexes: layout.uniqueIndexes.map((hash) => ({ ...hash, slots: undefined })),
    numbers: layout.numbers.map((list) => ({ ...list, values: undefined }))
  }
}

/** A part of an id is not unique by itself. */
function columnOf(model: ModelType, property: PropertyType): Column {
  const isPart = isComposite(model) && model.key.includes(property)
  return createColumn(isPart ? { ...property, id: false } : property)
}

function keepColumn(column: Column, before: Layout | undefined): Column {
  const old = before?.columns.get(column.name)
  return old !== undefined && old.kind === column.kind && old.unique === column.unique ? old : column
}
