import { InvalidDefinition, type ModelType } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Column } from '../table/column.ts'
import type { SqlTable } from '../table/sql-table.ts'

const action = Type.Optional(
  Type.String({ pattern: '^(?:(?:no action|restrict|cascade|set null|set default)|setNull)$' })
)

/** One of a model's `foreignKeys`, in LoopBack's words; `onDelete` and `onUpdate` are SQL's. */
const ForeignKeySchema = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1 })),
  entity: Type.Union([Type.String(), Type.Object({ name: Type.String() })]),
  entityKey: Type.Optional(Type.String()),
  foreignKey: Type.String(),
  onDelete: action,
  onUpdate: action
})

/** A foreign key that a model requires. */
export interface TableForeignKey {
  readonly name: string
  readonly column: Column
  readonly target: SqlTable
  readonly targetColumn: Column
  /** `on delete …` and `on update …`, or empty. */
  readonly actions: string
  /** The `on delete` action in SQL; empty if deletions are refused. */
  readonly onDelete: string
}

/** The context for resolving foreign keys. */
export interface ForeignKeyPlace {
  /** The table of a model in the same database; undefined for other models. */
  readonly tableOf: (model: string) => SqlTable | undefined
  /** Also create foreign keys for the `belongsTo` relations of models. */
  readonly fromRelations: boolean
}

/** Foreign keys of a table, and notes on those that cannot be created. */
export interface ForeignKeys {
  readonly keys: readonly TableForeignKey[]
  readonly notes: readonly string[]
}

type Said = Static<typeof ForeignKeySchema> & { readonly name: string }

/**
 * The foreign keys of a model's setting `foreignKeys`, and of its `belongsTo` relations if those are included.
 * @throws {InvalidDefinition} one is malformed, or names a property that is none
 * @see LoopBack 3: loopback-connector-postgresql, lib/migration.js, buildForeignKeyDefinition
 */
export function foreignKeysOf(table: SqlTable, place: ForeignKeyPlace): ForeignKeys {
  const declarations = [...declared(table.model), ...(place.fromRelations ? derived(table, place) : [])]
  const notes: string[] = []
  const keys = new Map<string, TableForeignKey>()
  for (const each of declarations) {
    const entity = typeof each.entity === 'string' ? each.entity : each.entity.name
    const target = place.tableOf(entity)
    if (target === undefined)
      notes.push(`the foreign key ${each.name} is left out: ${entity} is not in the same database`)
    else {
      const key = resolve(table, target, each)
      // A relation repeats the foreign key of the same column.
      keys.set(key.column.name, keys.get(key.column.name) ?? key)
    }
  }
  return { keys: [...keys.values()], notes }
}

function declared({ name: model, definition }: ModelType): readonly Said[] {
  const { foreignKeys } = definition
  if (!isPlainObject(foreignKeys)) return []
  return Object.entries(foreignKeys).map(([name, written]) => {
    if (Value.Check(ForeignKeySchema, written)) return { ...written, name: written.name ?? name }
    const [problem] = Value.Errors(ForeignKeySchema, written)
    const key = `foreignKeys.${name}${(problem?.path ?? '').replaceAll('/', '.')}`
    throw new InvalidDefinition(problem?.message ?? 'the foreign key is malformed', { model, key })
  })
}

/** Relations that lead to one model. Those whose target varies have no foreign key. */
function derived({ model, name, byProperty }: SqlTable, { tableOf }: ForeignKeyPlace): readonly Said[] {
  return Array.from(model.registry.relations.of(model).values()).flatMap((relation) => {
    const { holdsKey, to, keyFrom, keyTo, settings } = relation
    if (holdsKey !== 'one' || to === undefined) return []
    const column = byProperty.get(keyFrom)
    if (column === undefined || tableOf(to.name) === undefined) return []
    const key = { name: `${name}_${column.name}_fkey`, entity: to.name, foreignKey: keyFrom }
    const entityKey = keyTo === to.idProperty?.name ? undefined : keyTo
    return [{ ...key, ...(entityKey && { entityKey }), ...(settings.onDelete && { onDelete: settings.onDelete }) }]
  })
}

function resolve(table: SqlTable, target: SqlTable, declaration: Said): TableForeignKey {
  const { name, foreignKey, entityKey, onDelete, onUpdate } = declaration
  const column = findColumn(table, foreignKey)
  const targetColumn = entityKey === undefined ? target.id : findColumn(target, entityKey)
  const where = { model: table.model.name, key: `foreignKeys.${name}` }
  if (column === undefined) throw new InvalidDefinition(`unknown property "${foreignKey}"`, where)
  if (targetColumn === undefined)
    throw new InvalidDefinition(`${target.model.name} has no property "${entityKey ?? 'id'}"`, where)
  const actions = [
    ...(onDelete === undefined ? [] : [`on delete ${inSql(onDelete)}`]),
    ...(onUpdate === undefined ? [] : [`on update ${inSql(onUpdate)}`])
  ]
  const deleting = inSql(onDelete ?? '')
  const isRefused = deleting === 'no action' || deleting === 'restrict'
  return { name, column, target, targetColumn, actions: actions.join(' '), onDelete: isRefused ? '' : deleting }
}

function inSql(written: string): string {
  return written === 'setNull' ? 'set null' : written
}

/** LB3: keys are named by the property or by the column. */
function findColumn({ byProperty, columns }: SqlTable, name: string): Column | undefined {
  const lower = name.toLowerCase()
  return byProperty.get(name) ?? columns.find((column) => column.name.toLowerCase() === lower)
}
