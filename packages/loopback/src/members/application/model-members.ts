import { ScriptArgumentInvalid } from '../../errors.ts'
import { definedModels } from '../definition/built-in-models.ts'
import { configureModel, modelTypeOf } from './configure-model.ts'
import { addToApplication, defineScriptModel, readModelDefinition } from '../definition/define-script-model.ts'
import { eventsOf } from '../definition/model-events.ts'
import { sharedClassOf } from '../remoting/shared-class.ts'
import { findByName } from '../definition/model-list.ts'
import { setOwnMember } from '../../script-members.ts'
import type { ScriptApp, ScriptAppParts } from './script-app.ts'
import { isPlainObject } from '@modelwire/server'
import type { ModelType } from '@modelwire/core/connector'

type Members = Pick<ScriptApp, 'model' | 'deleteModelByName' | 'remoteObjects' | 'handler'>

/** The members of the application object for models. */
export function modelMembers(app: () => ScriptApp, parts: ScriptAppParts): Members {
  return {
    model: (model, config) => addModel(app(), parts, model, config),
    deleteModelByName: (name) => deleteModel(app(), parts, name),
    remoteObjects: () =>
      Object.fromEntries(
        app()
          .remotes()
          .classes()
          .map(({ name, ctor }) => [name, ctor])
      ),
    handler: (type, options) => app().remotes().handler(type, options)
  }
}

/** The keys that distinguish the definition of a model from its configuration. */
const definitionKeys = ['properties', 'base', 'options'] as const

/** The way of LoopBack 1 and 2: a name that no model has, with its definition. */
function defineNamed({ registry }: ScriptAppParts, name: unknown, config: unknown): ModelType | undefined {
  if (typeof name !== 'string' || !isPlainObject(config) || !definitionKeys.some((key) => key in config))
    return undefined
  const { dataSource: _dataSource, public: _public, ...definition } = config
  return defineScriptModel(registry(), readModelDefinition({ ...definition, name }, undefined, undefined)).modelType
}

/** `app.model(Model, { dataSource, public })`: adds a model to the application, and emits its event. */
function addModel(app: ScriptApp, parts: ScriptAppParts, model: unknown, config: unknown): unknown {
  const registry = parts.registry()
  const existing = typeof model === 'string' ? findByName(registry, model) : modelTypeOf(registry, model)
  const type = existing ?? defineNamed(parts, model, config)
  if (type === undefined) throw new ScriptArgumentInvalid('app.model requires a model or its name')
  const { public: isPublic, ...others } = isPlainObject(config) ? config : {}
  // LB3: a model that is added is public unless this call sets `public: false`, whatever its definition.
  type.definition.public = isPublic !== false
  // LB3: what shares models is made with the first of them.
  if (type.definition.public) parts.settings.fix('remoting')
  configureModel(registry, type.modelClass, existing === undefined ? { dataSource: others['dataSource'] } : others)
  setOwnMember(type.modelClass, 'shared', type.definition.public, false)
  if (type.definition.public) app.emit('modelRemoted', sharedClassOf(type))
  addToApplication(type)
  eventsOf(type.modelClass).emit('attached', app)
  return type.modelClass
}

/** `app.deleteModelByName(name)`: the name is free afterwards. */
function deleteModel(app: ScriptApp, { registry }: ScriptAppParts, name: string): void {
  const type = findByName(registry(), name)
  if (type !== undefined && definedModels.has(type.name))
    throw new ScriptArgumentInvalid('built-in models cannot be removed: make them private', { model: type.name })
  if (type !== undefined) {
    eventsOf(type.modelClass).removeAllListeners()
    registry().remove(type.name)
  }
  app.emit('modelDeleted', type?.modelClass ?? name)
}
