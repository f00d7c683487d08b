import type { Model, ModelDefinition, ModelRegistry } from '@modelwire/core'
import { isPlainObject, type ModelType, registryOf } from '@modelwire/core/plugin'
import { definedModels } from '../../models/built-in-models.ts'
import { flatDefinition } from '../../models/flat-definition.ts'
import { defineFreely } from '../../models/define-freely.ts'
import { refuseReplication } from '../../models/refuse-replication.ts'

/** The models that `model-config.json` or `app.model` adds to the application. */
const added = new WeakSet<ModelType>()

/** Adds a model to the application, under its name: it replaces the one that had it. */
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

/** Forgets a model that code defined, so that its name is free: in LoopBack the later definition counts. */
export function forgetModel(registry: ModelRegistry, name: string): void {
  const isOwn = registry.find(name) !== undefined && !definedModels.has(name)
  if (isOwn && name !== 'Model' && name !== 'PersistedModel') registry.remove(name)
}

/**
 * Defines a model of a script, and runs the `setup` of its base. A model of the application keeps its name, routes and relations until
 * `app.model` adds the new one; another one of the name is forgotten.
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

/** Runs `Model.setup`, which scripts override to add to models that extend this one. */
export function setUpModel(modelClass: typeof Model): void {
  const setup: unknown = Reflect.get(modelClass, 'setup')
  if (typeof setup === 'function') setup.call(modelClass)
}
