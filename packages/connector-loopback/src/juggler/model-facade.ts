import type { ModelType, PropertyType, ValueType } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import type { JugglerDataSource } from './data-source.ts'
import { type AnyFunction, isObject } from './driver.ts'
import { GeoPoint } from '@modelwire/core'

/** A property as passed to `connector.define`: its definition, with its type as a constructor. */
type LoopbackProperty = Record<string, unknown> & { readonly type: unknown }

// Connectors look at the names of these, and at some of JavaScript's own constructors by identity.
const named = (name: string): AnyFunction => Object.defineProperty(function () {}, 'name', { value: name })

const [Any, Text] = [named('Any'), named('Text')]

type ScalarTypes = Readonly<Record<Exclude<ValueType['kind'], 'array' | 'nested' | 'model'>, unknown>>

const constructors: ScalarTypes = {
  string: String,
  text: Text,
  number: Number,
  integer: Number,
  boolean: Boolean,
  date: Date,
  dateString: String,
  buffer: Buffer,
  geopoint: GeoPoint,
  object: Object,
  any: Any
}

/** The parts of a model's definition that connectors read. */
export interface LoopbackDefinition {
  readonly name: string
  readonly properties: Record<string, LoopbackProperty>
  readonly rawProperties: Record<string, LoopbackProperty>
  readonly settings: Record<string, unknown>
  readonly relations: Record<string, unknown>
  readonly idName: () => string | undefined
  readonly idNames: () => readonly string[]
  readonly ids: () => readonly { readonly name: string; readonly id: unknown; readonly property: LoopbackProperty }[]
  readonly columnName: (connector: string, property: string) => unknown
}

/**
 * A model as a connector sees it: the class that is passed to `connector.define` and that is `this` in `DataAccessObject`
 * functions. Missing members fall back to the model's class.
 */
export interface ModelFacade extends AnyFunction {
  readonly modelName: string
  readonly pluralModelName: string
  readonly settings: Record<string, unknown>
  readonly definition: LoopbackDefinition
  readonly dataSource: JugglerDataSource
}

/** Creates the view of a model for its connector; a type that was attached again replaces the previous one. */
export function createModelFacade(model: ModelType, dataSource: JugglerDataSource): ModelFacade {
  const settings = settingsOf(model)
  const definition = createDefinition(model, settings)
  const facade = makeInstanceMaker()
  Object.setPrototypeOf(facade, model.modelClass)
  const members = {
    name: model.name,
    modelName: model.name,
    pluralModelName: model.plural,
    settings,
    definition,
    dataSource,
    getDataSource: () => dataSource,
    getConnector: () => dataSource.connector,
    getIdName: () => definition.idName()
  }
  for (const [name, value] of Object.entries(members))
    Object.defineProperty(facade, name, { value, configurable: true, writable: true })
  return facade as ModelFacade // its members were defined just now
}

/** A constructor of its own. Instances that connectors make hold their data, as those of LoopBack do. */
const makeInstanceMaker = (): AnyFunction =>
  function (this: unknown, ...[data]) {
    const instance = this as object // it is called by `new`
    Object.assign(instance, isPlainObject(data) ? data : {})
    Object.defineProperty(instance, '__data', { value: instance, enumerable: false })
  }

/** All settings of the model's file except its properties. LoopBack's name of the plural is a setting. */
function settingsOf({ definition, plural, strict }: ModelType): Record<string, unknown> {
  const { properties: _properties, ...settings } = definition as object as Record<string, unknown> // read only
  return { ...settings, plural, strict }
}

function createDefinition(model: ModelType, settings: Record<string, unknown>): LoopbackDefinition {
  const properties = loopbackProperties(model.properties)
  const ids = model.properties
    .filter(({ id }) => id)
    .flatMap(({ name }) => {
      const property = properties[name]
      return property === undefined ? [] : [{ name, id: property['id'], property }]
    })
  return {
    name: model.name,
    properties,
    rawProperties: properties,
    settings,
    relations: {},
    idName: () => ids[0]?.name,
    idNames: () => ids.map(({ name }) => name),
    ids: () => ids,
    columnName: (connector, property) => columnName(properties[property], connector) ?? property
  }
}

function columnName(property: LoopbackProperty | undefined, connector: string): unknown {
  const mapping = property?.[connector]
  return isPlainObject(mapping) ? (mapping['columnName'] ?? mapping['column']) : undefined
}

/** The type of a property as LoopBack's model builder gives it to connectors; lists are a list of their items' type. */
function loopbackType(type: ValueType): unknown {
  if (type.kind === 'array') return type.items === undefined ? [] : [loopbackType(type.items)]
  return type.kind === 'nested' || type.kind === 'model' ? Object : constructors[type.kind]
}

/** All properties of a model, as `connector.define` gets them. */
function loopbackProperties(properties: readonly PropertyType[]): Record<string, LoopbackProperty> {
  return Object.fromEntries(properties.map((property) => [property.name, loopbackProperty(property)]))
}

function loopbackProperty({ definition, type, id, generated, required }: PropertyType): LoopbackProperty {
  const written: Record<string, unknown> = isObject(definition) ? { ...definition } : {}
  return {
    ...written,
    type: loopbackType(type),
    ...(id && { id: written['id'] ?? true }),
    ...(generated && { generated: true }),
    ...(required && { required: true })
  }
}
