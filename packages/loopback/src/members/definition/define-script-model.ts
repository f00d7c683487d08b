import type { Model, ModelDefinition, ModelRegistry } from '@modelwire/core'
import { registryOf } from '@modelwire/core/plugin'
import { isOfRecords, type ModelType, nameOfRecords } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import { definedModels, refuseReplication } from './built-in-models.ts'
import { defineFreely, flatDefinition } from './free-keys.ts'
import { eventsOf } from './model-events.ts'
import { ScriptArgumentInvalid } from '../../errors.ts'

/** The models that `model-config.json` or `app.model` adds to the application. */
const added = new WeakSet<ModelType>()

/** Adds a model to the application under its name, replacing the previous one. */
export function addToApplication(model: ModelType): void {
  registryOf(model).adopt(model)
  added.add(model)
}

/** Keys that may hold a class where a definition holds the name of a model. */
const namesOf = (base: unknown): unknown => (typeof base === 'function' && 'modelName' in base ? base.modelName : base)

/**
 * A definition from the arguments of `createModel`, `define` and `extend`: a single object, or a name, properties and
 * settings.
 * @see LoopBack 3: loopback, lib/registry.js, createModel
 */
export function readModelDefinition(name: unknown, properties: unknown, settings: unknown): ModelDefinition {
  const input = isPlainObject(name)
    ? name
    : { ...(isPlainObject(settings) ? settings : {}), name, properties: properties ?? {} }
  const { base, ...others } = flatDefinition(input)
  const definition = { ...others, ...(base === undefined ? {} : { base: namesOf(base) }) }
  return definition as ModelDefinition // checked by the registry
}

/** Removes a model defined in code, so that its name is free: in LoopBack the later definition counts. */
export function forgetModel(registry: ModelRegistry, name: string): void {
  const isOwn = registry.find(name) !== undefined && !definedModels.has(name)
  if (isOwn && name !== 'Model' && name !== 'PersistedModel') registry.remove(name)
}

/**
 * Defines a model of a script, and runs the `setup` of its base. A model of the application keeps its name, routes and
 * relations until `app.model` adds the new one; any other one of the name is removed.
 * @param base the class that it extends, where the definition does not name it
 * @throws {DefinitionError} the definition is invalid; the subclass names the reason
 * @see LoopBack 3: `modelBuilder.models` has the new class, `app.models` the one that was added
 */
export function defineScriptModel(
  registry: ModelRegistry,
  definition: ModelDefinition,
  base?: ModelType
): typeof Model {
  refuseReplication(definition)
  const former = typeof definition.name === 'string' ? registry.find(definition.name) : undefined
  const isLater = former !== undefined && added.has(former)
  if (former !== undefined && !isLater) forgetModel(registry, former.name)
  const { modelClass } = defineFreely(registry, definition, { base, isLater })
  setUpModel(modelClass)
  return modelClass
}

/** Runs `Model.setup`, which scripts override to extend models based on this one. */
export function setUpModel(modelClass: typeof Model): void {
  const setup: unknown = Reflect.get(modelClass, 'setup')
  if (typeof setup === 'function') setup.call(modelClass)
}

/**
 * Attaches a model to its data source, and emits `dataAccessConfigured` and `dataSourceAttached`; null leaves it
 * without one.
 * @throws {UnknownDataSource} there is none of this name
 */
export function attachScriptModel(registry: ModelRegistry, model: ModelType, dataSource: string | null): void {
  registry.attach(model, dataSource)
  if (dataSource === null) return
  registry.relations.attached(model)
  const { modelClass } = model
  for (const event of ['dataAccessConfigured', 'dataSourceAttached']) eventsOf(modelClass).emit(event, modelClass)
}

/**
 * Declares a remote method of a model. `isStatic: false` declares it on instances in version 2.
 * @throws {ScriptArgumentInvalid} the specification is not an object
 */
export function declareMethod(model: ModelType, name: string, spec: unknown): void {
  if (!isPlainObject(spec))
    throw new ScriptArgumentInvalid(`the specification of the method "${name}" must be an object`, {
      model: model.name
    })
  const onInstance = spec['isStatic'] === false && !isOfRecords(name)
  model.methods.declare(onInstance ? nameOfRecords(name) : name, spec)
}
