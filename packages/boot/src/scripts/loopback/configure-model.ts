import { ScriptArgumentInvalid } from '@modelwire/loopback-express'
import { Value } from '@sinclair/typebox/value'
import type { ModelRegistry } from '@modelwire/core'
import { isPlainObject, type ModelType, typeOfClass } from '@modelwire/core/plugin'
import { configuredDefinition } from '../../models/configured-definition.ts'
import { configureRules } from '../../models/configure-rules.ts'
import { type ModelEntry, ModelEntrySchema } from '../../config/settings-schema.ts'
import { dataSourceKey } from '../data-source/data-source-handles.ts'
import { attachScriptModel } from '../model/attach-script-model.ts'
import { declareMethod } from '../model/declare-method.ts'

/** The model behind a class, or behind its name. */
export function modelTypeOf(registry: ModelRegistry, model: unknown): ModelType | undefined {
  if (typeof model === 'string') return registry.find(model)
  const type = typeOfClass(model)
  if (type?.registry === registry) return type
  // It may be of another application.
  const isClass = typeof model === 'function' && 'modelName' in model && typeof model.modelName === 'string'
  return isClass ? registry.find(String(model.modelName)) : undefined
}

/**
 * `loopback.configureModel(Model, config)`: what an entry of `model-config.json` does, `public` excepted.
 * @throws {ScriptArgumentInvalid} the model or its configuration is none
 */
export function configureModel(registry: ModelRegistry, model: unknown, config: unknown): void {
  const type = modelTypeOf(registry, model)
  if (type === undefined || !isPlainObject(config))
    throw new ScriptArgumentInvalid('configureModel needs a model and its configuration')
  const { dataSource, methods, public: _public, ...others } = config
  const { definition } = type
  const entry = readEntry(type.name, others)
  const { public: isPublic, dataSource: kept, remoting } = definition
  Object.assign(definition, configuredDefinition(definition, entry), { public: isPublic, dataSource: kept, remoting })
  configureRules(type, entry.acls)
  if (entry.options?.remoting !== undefined) Object.assign(definition, { remoting: entry.options.remoting })
  if (isPlainObject(methods)) for (const [name, spec] of Object.entries(methods)) declareMethod(type, name, spec)
  Object.defineProperty(type.modelClass, 'config', { value: config, writable: true, configurable: true })
  if (dataSource === undefined || dataSource === null || dataSource === false) return
  attachScriptModel(registry, type, dataSourceKey(dataSource, type.name))
}

/** @throws {ScriptArgumentInvalid} a key has the wrong type */
function readEntry(model: string, config: object): ModelEntry {
  if (Value.Check(ModelEntrySchema, config)) return config
  const [problem] = Value.Errors(ModelEntrySchema, config)
  throw new ScriptArgumentInvalid(`configureModel: ${problem?.message ?? 'invalid'}`, {
    model,
    key: problem?.path.slice(1).replaceAll('/', '.') ?? 'config'
  })
}
