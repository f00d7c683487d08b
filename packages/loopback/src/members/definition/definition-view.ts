import { type ModelDefinition, type ModelRegistry, GeoPoint } from '@modelwire/core'
import { isPlainObject } from '@modelwire/server'
import type { ModelType, PropertyType, ValueType } from '@modelwire/core/connector'
import { settingsOf } from './free-keys.ts'

const constructors: Readonly<Record<string, unknown>> = {
  string: String,
  text: String,
  number: Number,
  integer: Number,
  boolean: Boolean,
  date: Date,
  dateString: String,
  buffer: Buffer,
  geopoint: GeoPoint,
  object: Object,
  nested: Object,
  any: Object,
  array: Array
}

/** An id among `Model.definition.ids()`. */
export interface IdView {
  readonly name: string
  /** Its position in a composite id. */
  readonly id: number
  readonly property: Readonly<Record<string, unknown>>
}

/** `Model.definition`: the definition of a model's file, with LoopBack's methods. */
export interface DefinitionView {
  readonly name: string
  readonly properties: Readonly<Record<string, Record<string, unknown>>>
  readonly rawProperties: object
  readonly settings: ModelDefinition
  readonly ids: () => IdView[]
  readonly idName: () => string | undefined
  readonly idNames: () => string[]
  readonly hasPK: () => boolean
  /** Returns the names in the database that the model's file sets for one connector. */
  readonly tableName: (connector: string) => string
  readonly columnName: (connector: string, property: string) => string
  readonly columnNames: (connector: string) => string[]
  readonly columnMetadata: (connector: string, property: string) => unknown
  readonly idColumnName: (connector: string) => string | undefined
  readonly indexes: () => Record<string, unknown>
  readonly relations: Readonly<Record<string, unknown>>
  readonly defineProperty: (name: string, definition: unknown) => void
  readonly build: () => DefinitionView['properties']
  readonly toJSON: () => object
}

type Properties = DefinitionView['properties']

/** The part of a definition under a connector's name: `{ "postgresql": { "column": … } }`. */
function settingsFor(connector: string, declared: object | undefined): Record<string, unknown> | undefined {
  const found: unknown = declared === undefined ? undefined : Reflect.get(declared, connector)
  return isPlainObject(found) ? found : undefined
}

const nameOr = (found: unknown, fallback: string): string =>
  typeof found === 'string' && found !== '' ? found : fallback

function idsOf(properties: Properties): IdView[] {
  return Object.entries(properties)
    .filter(([, { id }]) => Boolean(id))
    .map(([name, property]) => ({ name, id: typeof property['id'] === 'number' ? property['id'] : 1, property }))
    .toSorted((a, b) => a.id - b.id)
}

function columnsOf(properties: Properties): Pick<DefinitionView, 'columnName' | 'columnNames' | 'columnMetadata'> {
  const columnName = (connector: string, property: string): string => {
    const own = settingsFor(connector, properties[property])
    return nameOr(own?.['column'] ?? own?.['columnName'], property)
  }
  return {
    columnName,
    columnNames: (connector) => Object.keys(properties).map((name) => columnName(connector, name)),
    columnMetadata: (connector, property) => settingsFor(connector, properties[property]) ?? null
  }
}

function indexesOf(definition: ModelDefinition, properties: Properties): Record<string, unknown> {
  const own = Object.entries(properties).filter(([, { index }]) => Boolean(index))
  const written: unknown = Reflect.get(definition, 'indexes')
  return {
    ...(isPlainObject(written) ? written : {}),
    ...Object.fromEntries(own.map(([name, { index }]) => [`${name}_index`, index]))
  }
}

/**
 * The value of `Model.definition` for scripts. It shows the model's current state.
 * @see LoopBack 3: loopback-datasource-juggler, lib/model-definition.js
 */
export function definitionView(model: ModelType): DefinitionView {
  const { definition, idProperty } = model
  const { name, properties: rawProperties } = definition
  const properties = propertyViews(model)
  const columns = columnsOf(properties)
  const ids = (): IdView[] => idsOf(properties)
  return {
    name,
    properties,
    rawProperties,
    settings: settingsOf(model),
    ids,
    idName: () => idProperty?.name,
    idNames: () => ids().map((id) => id.name),
    hasPK: () => ids().length > 0,
    ...columns,
    tableName: (connector) => {
      const own = settingsFor(connector, definition)
      return nameOr(own?.['table'] ?? own?.['tableName'], name)
    },
    idColumnName: (connector) => idProperty && columns.columnName(connector, idProperty.name),
    indexes: () => indexesOf(definition, properties),
    relations: definition.relations ?? {},
    defineProperty: (property, written) => model.registry.defineProperty(model, property, written),
    build: () => properties,
    toJSON: () => ({ name, properties, settings: settingsOf(model) })
  }
}

/** The definition of the latest model with a name; undefined if there is none. */
export function latestView(registry: ModelRegistry, name: string): DefinitionView | undefined {
  const model = registry.latest(name)
  return model && definitionView(model)
}

/** The constructor that LoopBack shows for a type: `String`, `[Number]`, `Object`; for a model, its name. */
export function propertyConstructor(type: ValueType): unknown {
  if (type.kind === 'array' && type.items !== undefined) return [propertyConstructor(type.items)]
  return type.kind === 'model' ? type.model : constructors[type.kind]
}

/** `Model.definition.properties`: the definitions of the properties, with constructors as types. */
export function propertyViews({ properties }: ModelType): Record<string, Record<string, unknown>> {
  return Object.fromEntries(properties.map((property) => [property.name, propertyView(property)]))
}

function propertyView({ definition, type, id, generated }: PropertyType): Record<string, unknown> {
  const written: Record<string, unknown> = isPlainObject(definition) ? definition : {}
  return {
    ...written,
    type: propertyConstructor(type),
    ...(id ? { id: written['id'] ?? true } : {}),
    ...(generated ? { generated } : {})
  }
}
