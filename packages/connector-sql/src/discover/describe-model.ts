import type { ModelDefinition } from '@modelwire/core'
import type { DiscoveredColumn, DiscoveredForeignKey } from '@modelwire/core/connector'
import type { SqlDialect } from '../dialect/dialect.ts'
import { isDataType } from '../table/mapping.ts'
import { isMadeByDefault } from '../table/column-types.ts'
import { defaultUndeclaredColumn } from '../table/undeclared.ts'
import type { TableDescription } from './create-discovery.ts'
import type { Naming } from './naming.ts'

/** The facts from which a model is generated. */
export interface ModelFacts extends TableDescription {
  readonly dialect: SqlDialect
  /** The schema of tables whose model does not name one. */
  readonly defaultSchema: string | undefined
  readonly naming: Naming
}

/** The definition of a model for a table. */
export function describeModel(facts: ModelFacts): ModelDefinition {
  const { table, columns, naming, foreignKeys } = facts
  const declared = columns.filter(({ columnName }) => columnName !== defaultUndeclaredColumn)
  const single = singleColumnKeys(foreignKeys)
  const indexes = describeIndexes(facts)
  return {
    name: naming.modelOf(table),
    ...tableMapping(facts),
    // A table that cannot hold what is not declared has a model that refuses it.
    ...(declared.length === columns.length && { strict: true }),
    idInjection: false,
    properties: Object.fromEntries(
      declared.map((column) => [naming.propertyOf(table, column.columnName), describeProperty(facts, column)])
    ),
    ...(single.length > 0 && { relations: describeRelations(facts, single), foreignKeys: describeKeys(facts, single) }),
    ...(Object.keys(indexes).length > 0 && { indexes })
  }
}

function tableMapping({ dialect, table, defaultSchema, naming }: ModelFacts): Record<string, unknown> {
  const mapping = {
    ...(table.schema !== defaultSchema && { schema: table.schema }),
    ...(dialect.defaultName(naming.modelOf(table)) !== table.name && { tableName: table.name })
  }
  return Object.keys(mapping).length === 0 ? {} : { [dialect.mappingKeys[0] ?? dialect.name]: mapping }
}

/** A property of a discovered model. */
type DescribedProperty = { type: string | string[] } & Record<string, unknown>

function describeProperty(facts: ModelFacts, column: DiscoveredColumn): DescribedProperty {
  const { keys, indexes, dialect } = facts
  const key = keys.find(({ columnName }) => columnName === column.columnName)
  const own = indexes.filter(({ columns }) => columns.length === 1 && columns[0] === column.columnName)
  const isUnique = own.some(({ unique }) => unique)
  const mapping = columnMapping(facts, column)
  return {
    type: typeof column.type === 'string' ? column.type : [...column.type],
    ...(column.words && { enum: [...column.words] }),
    ...(key && { id: keys.length === 1 ? true : key.keySeq }),
    ...(key && column.generated !== false && { generated: column.generated }),
    ...(column.computed && key === undefined && { generated: true }),
    ...(column.nullable === 'N' && key === undefined && (isFilled(column) ? { nullable: false } : { required: true })),
    ...(isUnique && { unique: true }),
    ...(!isUnique && own.length > 0 && { index: true }),
    // The key of a relation has one, unless it says so.
    ...(key === undefined && isRelationKey(facts, column) && { index: false }),
    ...(Object.keys(mapping).length > 0 && { [dialect.mappingKeys[0] ?? dialect.name]: mapping }),
    ...lengthOf(facts, column)
  }
}

/** The database has values for records without one. */
const isFilled = ({ computed, hasDefault, generated }: DiscoveredColumn): boolean =>
  computed === true || hasDefault === true || generated !== false

function isRelationKey({ unindexedKeys, foreignKeys }: ModelFacts, { columnName }: DiscoveredColumn): boolean {
  return (
    unindexedKeys.has(columnName) &&
    singleColumnKeys(foreignKeys).some(({ fkColumnName }) => fkColumnName === columnName)
  )
}

function columnMapping(facts: ModelFacts, column: DiscoveredColumn): Record<string, unknown> {
  const { dialect, table, naming } = facts
  const { columnName, dataType, dataLength, dataPrecision, dataScale, generated } = column
  const isPlain = isDefaultType(facts, column) || generated !== false || !isDataType(dataType)
  return {
    ...(dialect.defaultName(naming.propertyOf(table, columnName)) !== columnName && { columnName }),
    ...(!isPlain && { dataType }),
    ...(!isPlain && dataLength !== null && { dataLength }),
    ...(!isPlain && dataPrecision !== null && { dataPrecision, dataScale: dataScale ?? 0 })
  }
}

function lengthOf(facts: ModelFacts, column: DiscoveredColumn): { length?: number } {
  const { dataLength } = column
  if (dataLength === null || !isDefaultType(facts, column)) return {}
  return isKey(facts, column) && dataLength === facts.dialect.types.keyLength ? {} : { length: dataLength }
}

function isDefaultType(facts: ModelFacts, column: DiscoveredColumn): boolean {
  const { dataType, dataLength: length } = column
  return isMadeByDefault(facts.dialect.types, { dataType, length, isKey: isKey(facts, column) })
}

function isKey({ indexes, foreignKeys, keys }: ModelFacts, { columnName }: DiscoveredColumn): boolean {
  return (
    indexes.some(({ columns }) => columns.includes(columnName)) ||
    foreignKeys.some(({ fkColumnName }) => fkColumnName === columnName) ||
    keys.some((key) => key.columnName === columnName)
  )
}

function describeIndexes({ table, columns: ofTable, indexes, naming }: ModelFacts): Record<string, unknown> {
  const names = new Set(ofTable.map(({ columnName }) => columnName))
  const several = indexes.filter(({ columns }) => columns.length > 1 && columns.every((column) => names.has(column)))
  return Object.fromEntries(
    several.map(({ name, columns, unique }) => {
      const keys = Object.fromEntries(columns.map((column) => [naming.propertyOf(table, column), 1]))
      return [name, { keys, ...(unique && { options: { unique: true } }) }]
    })
  )
}

/** Keys of several columns lead to models with several ids, to which no relation leads. */
function singleColumnKeys(foreignKeys: readonly DiscoveredForeignKey[]): readonly DiscoveredForeignKey[] {
  return foreignKeys.filter((key) => foreignKeys.every((other) => other === key || other.fkName !== key.fkName))
}

function describeRelations(
  facts: ModelFacts,
  keys: readonly DiscoveredForeignKey[]
): Record<string, { type: string } & Record<string, unknown>> {
  const { table, columns, naming } = facts
  const taken = new Set(columns.map(({ columnName }) => naming.propertyOf(table, columnName)))
  const relations: Record<string, { type: string } & Record<string, unknown>> = {}
  for (const key of keys) {
    const { fkColumnName, pkTableName } = key
    const foreignKey = naming.propertyOf(table, fkColumnName)
    const { model, property: primaryKey } = targetOf(facts, key)
    const candidates = [
      naming.nameOf('relation', fkColumnName.replace(/[_-]?id$/i, '')),
      naming.nameOf('relation', pkTableName),
      `${foreignKey}Rel`
    ]
    const name = candidates.find((each) => each !== '' && !taken.has(each)) ?? `${foreignKey}Relation`
    taken.add(name)
    relations[name] = { type: 'belongsTo', model, foreignKey, primaryKey }
  }
  return relations
}

/** The model and the property that a key leads to. */
function targetOf({ naming }: ModelFacts, { pkTableName, pkOwner, pkColumnName }: DiscoveredForeignKey) {
  const target = { name: pkTableName, schema: pkOwner }
  return { model: naming.modelOf(target), property: naming.propertyOf(target, pkColumnName || 'id') }
}

function describeKeys(facts: ModelFacts, keys: readonly DiscoveredForeignKey[]): Record<string, unknown> {
  const { naming, table } = facts
  return Object.fromEntries(
    keys.map((foreign) => {
      const { fkName, fkColumnName, onDelete } = foreign
      const { model, property } = targetOf(facts, foreign)
      // SQLite's foreign keys have numbers for names.
      const name = /^\d+$/.test(fkName) ? `${table.name}_${fkColumnName}_fkey` : fkName
      const key = {
        entity: model,
        entityKey: property,
        foreignKey: naming.propertyOf(table, fkColumnName),
        ...(onDelete !== undefined && { onDelete })
      }
      return [name, key]
    })
  )
}
