import type { DataSource } from '../contract/data-source.ts'
import { injectedId } from './injected-id.ts'
import { idOfKey, isComposite, keyOf } from './composite-key.ts'
import { isPlainObject } from '@modelwire/server'
import { InvalidDefinition } from '../definition/errors.ts'
import { bringMethods } from './bring-methods.ts'
import { compilePlan } from './build-instance.ts'
import { embeddedNames } from './embedded-model.ts'
import { renewVersions } from './optimistic-locking.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { PropertyType } from '../types/property-type.ts'
import type { Registry } from '../contract/registry.ts'

/** Replaces the properties of a model and everything compiled from them. */
export function setProperties(model: ModelType, properties: readonly PropertyType[]): void {
  model.properties = properties
  model.byName = new Map(properties.map((property) => [property.name, property]))
  model.embedded = embeddedNames(properties)
  model.key = keyOf(model, properties)
  model.keyNames = model.key.map(({ name }) => name)
  model.idProperty = idOfKey(model, model.key)
  model.forceId = forcesId(model)
  model.plan = compilePlan(model, properties)
  model.readTexts = model.registry.rules.readsStoredJson ? namesOfObjects(properties) : []
  const { applyDefaultsOnReads } = model.definition
  model.readDefaults = applyDefaultsOnReads === false ? [] : model.plan.filter((plan) => plan.makeDefault !== undefined)
}

/** LB3: a text that is stored for an object is read as JSON; lib/model.js, _initProperties. */
const namesOfObjects = (properties: readonly PropertyType[]): string[] =>
  properties.filter(({ type }) => type.kind === 'object').map(({ name }) => name)

/** `auto`, the default of version 3, refuses a client's id exactly where the database makes ids. */
function forcesId({ definition, registry, key, idProperty }: ModelType): boolean {
  // Nothing generates an id of several properties.
  if (key.length > 1) return false
  const setting = definition.forceId ?? (registry.rules.takesClientIds ? false : 'auto')
  return setting === 'auto' ? idProperty?.generated === true : setting
}

/** Attaches a model to its data source: generated ids take the connector's type, and the model gets the connector's methods. */
export function attachModel(model: ModelType, dataSource: DataSource | undefined): void {
  model.dataSource = dataSource
  if (dataSource === undefined) model.collection = undefined
  else attachRecords(model, dataSource)
  bringMethods(model, dataSource?.connector)
}

function attachRecords(model: ModelType, dataSource: DataSource): void {
  const { generatedIdType } = dataSource.connector.capabilities
  const declared = lacksId(model, dataSource) ? withId(model) : model.properties
  const properties = declared.map((property) =>
    generatedIdType !== 'declared' &&
    property.id &&
    property.generated &&
    (!hasOwnType(model, property) || isOverruled(model, property, dataSource))
      ? { ...property, type: { kind: generatedIdType } }
      : property
  )
  setProperties(model, properties)
  if (isComposite(model) && dataSource.connector.capabilities.compositeIds !== true)
    throw new InvalidDefinition(
      `the connector ${dataSource.connector.name} does not support ids of several properties: declare one with "id: true"`,
      { model: model.name, ...(model.file !== undefined && { file: model.file }), key: 'properties' }
    )
  const collection = dataSource.connector.collection(model)
  const { optimisticLocking } = model
  model.collection = optimisticLocking === undefined ? collection : renewVersions(collection, optimisticLocking)
}

/**
 * LB3: `idInjection: false` takes no id away, since every model of an application has one from its base;
 * lib/model-builder.js, extend. A declared property of its name hides that one: in tables it is a column like any other.
 */
const lacksId = ({ base, byName, name, registry, idProperty }: ModelType, { connector }: DataSource): boolean => {
  const isColumn = connector.discovery?.undeclaredColumn !== undefined && byName.has(injectedId(name).name)
  return registry.rules.insistsOnId && base !== undefined && idProperty === undefined && !isColumn
}

/** The properties with an id; one of its name that is not declared as an id becomes it. */
function withId({ name, properties }: ModelType): readonly PropertyType[] {
  const id = injectedId(name)
  return [...properties.filter((property) => property.name !== id.name), id]
}

/**
 * LB3: ids that the database makes have its type, whatever is declared, unless the property names a type of a column or says
 * `useDefaultIdType: false`; lib/datasource.js, setupDataAccess.
 */
function isOverruled({ registry }: ModelType, { definition }: PropertyType, { connector }: DataSource): boolean {
  const { generated, useDefaultIdType } = definition
  const column: unknown = definition[connector.name]
  const namesType = isPlainObject(column) && column['dataType'] !== undefined
  return registry.rules.retypesIds && generated !== 'uuid' && useDefaultIdType !== false && !namesType
}

/** The author chose the type of the id; an injected one has the connector's, also where a property has its name. */
function hasOwnType({ definition: { properties } }: ModelType, { name }: PropertyType): boolean {
  return Object.hasOwn(properties, name) && Boolean(properties[name]?.id)
}

/** The name of the only data source; undefined if there is none, or several. */
export function onlyDataSource(dataSources: ReadonlyMap<string, DataSource>): string | undefined {
  const [only, ...others] = dataSources.keys()
  return others.length === 0 ? only : undefined
}

/**
 * Attaches models without a data source: to the named one, else to the only one. Names without a model are ignored, and so
 * are models whose definition says `dataSource: null`: others extend them.
 * @throws {UnknownDataSource} there is none of this name
 */
export function attachModels(registry: Registry, names: readonly string[], dataSource: string | undefined): void {
  const wanted = dataSource ?? onlyDataSource(registry.dataSources)
  if (wanted === undefined) return
  for (const name of names) {
    const model = registry.find(name)
    if (model !== undefined && model.dataSource === undefined && model.definition.dataSource !== null)
      registry.attach(name, wanted)
  }
}
