import { ScriptArgumentInvalid } from '../../errors.ts'
import { setOwnMember } from '../../script-members.ts'
import {
  configuredDefinition,
  configureRules,
  type ModelEntry,
  ModelEntrySchema
} from '../definition/configured-definition.ts'
import { dataSourceKey } from '../definition/data-source-handles.ts'
import { attachScriptModel, declareMethod } from '../definition/define-script-model.ts'
import type { ModelRegistry } from '@modelwire/core'
import { isPlainObject, problemOf } from '@modelwire/server'
import { typeOfClass } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'

/** The model of a class, or of its name. */
export function modelTypeOf(registry: ModelRegistry, model: unknown): ModelType | undefined {
  if (typeof model === 'string') return registry.find(model)
  const type = typeOfClass(model)
  if (type?.registry === registry) return type
  // It may be of another application.
  const isClass = typeof model === 'function' && 'modelName' in model && typeof model.modelName === 'string'
  return isClass ? registry.find(String(model.modelName)) : undefined
}

/**
 * Implements `loopback.configureModel(Model, config)`: like an entry of `model-config.json`, except `public`.
 * @throws {ScriptArgumentInvalid} the model or its configuration is none
 */
export function configureModel(registry: ModelRegistry, model: unknown, config: unknown): void {
  const type = modelTypeOf(registry, model)
  if (type === undefined || !isPlainObject(config))
    throw new ScriptArgumentInvalid('configureModel requires a model and its configuration')
  const { dataSource, methods, public: _public, ...others } = config
  const { definition } = type
  const entry = readEntry(type.name, others)
  const { public: isPublic, dataSource: kept, remoting } = definition
  Object.assign(definition, configuredDefinition(definition, entry), { public: isPublic, dataSource: kept, remoting })
  configureRules(type, entry.acls)
  if (entry.options?.remoting !== undefined) Object.assign(definition, { remoting: entry.options.remoting })
  if (isPlainObject(methods)) for (const [name, spec] of Object.entries(methods)) declareMethod(type, name, spec)
  setOwnMember(type.modelClass, 'config', config, false)
  if (dataSource === undefined || dataSource === null || dataSource === false) return
  attachScriptModel(registry, type, dataSourceKey(dataSource, type.name))
}

/** @throws {ScriptArgumentInvalid} a key has the wrong type */
function readEntry(model: string, config: object): ModelEntry {
  const problem = problemOf(ModelEntrySchema, config)
  if (problem === undefined) return config
  throw new ScriptArgumentInvalid(`configureModel: ${problem.expected}`, { model, key: problem.key || 'config' })
}
