import { isPlainObject, type ModelType } from '@modelwire/core/connector'
import type { JugglerDataSource } from './data-source.ts'
import type { AnyFunction } from './driver.ts'
import { loopbackProperties, type LoopbackProperty } from './property-definitions.ts'

/** What connectors read of a model's definition. */
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
 * A model as a connector sees it: the class that `connector.define` gets and that `DataAccessObject` functions have as `this`.
 * What it lacks itself it has from the model's class.
 */
export interface ModelFacade extends AnyFunction {
  readonly modelName: string
  readonly pluralModelName: string
  readonly settings: Record<string, unknown>
  readonly definition: LoopbackDefinition
  readonly dataSource: JugglerDataSource
}

/** The model of a data source for its connector; a type that was attached anew replaces what is there. */
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
