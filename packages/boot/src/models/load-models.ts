import type { ModelDefinition, ModelRegistry } from '@modelwire/core'
import { UnknownBaseModel, UnknownDataSource, UnknownModel } from '@modelwire/core/plugin'
import type { AppFolder } from '../app-folder.ts'
import type { AddNote } from '../boot-report.ts'
import { isFunction } from '../callback-bridge.ts'
import type { ModelEntry } from '../config/settings-schema.ts'
import type { DataSources } from '../connectors/create-data-sources.ts'
import { applyMixins, type Mixins, noteUnknownMixins } from '../mixins/apply-mixins.ts'
import { defineEmail, emailModel } from '../mail/email-model.ts'
import { configureRules } from './configure-rules.ts'
import { defineFreely } from './define-freely.ts'
import { noteFreeKeys } from './free-keys.ts'
import { hideBySettings } from './hide-by-settings.ts'
import { refuseReplication } from './refuse-replication.ts'
import { attachScriptModel } from '../scripts/model/attach-script-model.ts'
import { declareMethod } from '../scripts/model/declare-method.ts'
import { addToApplication, setUpModel } from '../scripts/model/define-script-model.ts'
import { eventsOf } from '../scripts/model/model-events.ts'
import { provideMixins } from '../scripts/model/named-mixins.ts'
import { declareMarkedMethods } from '../scripts/remoting/marked-methods.ts'
import { runScript } from '../scripts/run-script.ts'
import type { LoadScript } from '../scripts/script-loader.ts'
import type { ScriptApp } from '../scripts/app/script-app.ts'
import { absentModels } from './built-in-models.ts'
import { configuredDefinition, fixedOptions } from './configured-definition.ts'
import type { ModelFile } from './find-model-files.ts'
import { orderModels } from './order-models.ts'
import type { ModelConfig } from './read-model-config.ts'

/** Everything that loading the models of an application needs. */
export interface ModelLoading {
  readonly folder: AppFolder
  readonly registry: ModelRegistry
  readonly modelConfig: ModelConfig
  readonly files: ReadonlyMap<string, ModelFile>
  readonly mixins: Mixins
  readonly loadScript: LoadScript
  readonly dataSources: DataSources
  readonly app: ScriptApp
  readonly add: AddNote
  /** Takes the promises of scripts that the start waits for. */
  readonly pending: Promise<unknown>[]
}

/**
 * Defines the models of `model-config.json` and the bases they need, runs their scripts, applies their mixins and
 * attaches them, in LoopBack's order: all scripts before the first mixin.
 * @throws {UnknownModel} an entry has no model file and is not built in
 * @throws {UnknownDataSource} an entry names a data source that is not configured
 * @throws {UnknownMixin} a model uses a mixin that does not exist
 * @throws {ScriptFailed} a model's script failed
 */
export function loadModels(loading: ModelLoading): void {
  const { modelConfig, registry, files } = loading
  if (needs(loading, emailModel.name)) defineEmail(registry)
  // Its methods are those that the connector of a key-value store gives to its models.
  if (needs(loading, 'KeyValueModel')) registry.define({ name: 'KeyValueModel', base: 'Model', public: false })
  const { mixins } = loading
  provideMixins(registry, (name) => (mixins.has(name) ? mixins.load(name) : undefined))
  registry.beforeSeal(() => declareMarkedMethods(registry))
  registry.beforeSeal(() => hideBySettings(registry))
  for (const [name, entry] of modelConfig.entries) checkEntry(loading, name, entry)
  configureBuiltIn(loading)
  for (const model of orderModels(modelConfig.entries.keys(), files)) defineModel(loading, model)
  // LB3: models that extend another are defined by now, so that they do not have the rules of its entry.
  for (const [name, { acls }] of modelConfig.entries) configureRules(registry.find(name), acls)
  for (const [name, entry] of modelConfig.entries)
    if (registry.find(name) !== undefined) attachModel(loading, name, entry)
}

/** The application configures the built-in model, or extends it, and has none of its own. */
function needs({ modelConfig, registry, files }: ModelLoading, name: string): boolean {
  if (registry.find(name) !== undefined || files.has(name)) return false
  return modelConfig.entries.has(name) || [...files.values()].some(({ definition }) => definition.base === name)
}

function checkEntry(
  { modelConfig, registry, files, dataSources, add }: ModelLoading,
  name: string,
  entry: ModelEntry
): void {
  const file = modelConfig.config.fileOf(name)
  if (!files.has(name) && registry.find(name) === undefined && !absentModels.has(name)) {
    throw new UnknownModel('no model file defines this model', { file, key: name })
  }
  for (const key of fixedOptions(entry))
    add('ignored', { file, key: `${name}.options.${key}` }, 'options cannot replace this part of a model', {
      effect: 'info',
      advice: 'change it in the file of the model'
    })
  if (entry.dataSource === undefined)
    add('info', { file, key: name }, 'the data source is missing: null says that none is wanted')
  else if (entry.dataSource !== null && entry.dataSource !== false && !Object.hasOwn(dataSources, entry.dataSource)) {
    throw new UnknownDataSource(`the data source "${entry.dataSource}" is not configured`, {
      file,
      key: `${name}.dataSource`
    })
  }
  if (entry.public === undefined)
    add('info', { file, key: name }, 'public is missing: the model is public, as in LoopBack')
  if (!files.has(name) && registry.find(name) === undefined) noteUnserved(add, file, name)
}

/** Models that an extension defined have no file: their entries are merged into their definitions. */
function configureBuiltIn({ modelConfig, registry, files }: ModelLoading): void {
  for (const [name, entry] of modelConfig.entries) {
    const model = files.has(name) ? undefined : registry.find(name)
    if (model === undefined) continue
    Object.assign(model.definition, configuredDefinition(model.definition, entry))
  }
}

function noteUnserved(add: AddNote, file: string, name: string): void {
  add('ignored', { file, key: name }, `this built-in model is not served: ${absentModels.get(name)}`, {
    advice: 'remove the entry'
  })
}

function defineModel(loading: ModelLoading, model: ModelFile): void {
  const { registry, modelConfig, mixins, add } = loading
  const { name } = model.definition
  const base = registry.find(model.definition.base ?? 'PersistedModel')
  const definition = configuredDefinition(model.definition, modelConfig.entries.get(name), base?.definition.relations)
  refuseReplication(definition, model.file)
  const placed = standOnBase(loading, model, definition)
  // LB3: what a package defined when it was required gives way to the file.
  registry.remove(name)
  const type = defineFreely(registry, placed, { file: model.file })
  const { modelClass } = type
  noteFreeKeys(type, model.file, add)
  setUpModel(modelClass)
  model.prepare?.(modelClass)
  if (Object.keys(model.definition.remoting ?? {}).some((key) => key !== 'normalizeHttpPath'))
    add(
      'ignored',
      { file: model.file, key: 'remoting' },
      'LoopBack reads this key in model-config.json, below options, alone',
      { effect: 'info', advice: 'move it there' }
    )
  noteUnknownMixins(mixins, type, model.file, add)
  if (model.script !== undefined) runModelScript(loading, model.script, modelClass)
}

/**
 * The definition as it can be defined: on a built-in base that is not served, a model is defined with a bare one
 * and kept private, since it would otherwise be served without that base's protection.
 * @throws {UnknownBaseModel} the base is neither defined nor built in
 */
function standOnBase(
  { registry, add }: ModelLoading,
  { file }: ModelFile,
  definition: ModelDefinition
): ModelDefinition {
  const base = definition.base ?? 'PersistedModel'
  const existing = registry.find(base)
  const unserved = existing === undefined ? absentModels.has(base) : existing.definition['unserved'] === true
  if (existing === undefined) {
    if (!unserved)
      throw new UnknownBaseModel(`the base model "${base}" is not defined`, {
        model: definition.name,
        file,
        key: 'base'
      })
    registry.define({ name: base, base: 'PersistedModel', public: false, dataSource: null, unserved: true })
  }
  if (!unserved) return definition
  const reason = absentModels.get(base) ?? `its base ${base} is not`
  add('ignored', { file, key: 'base' }, `the model is not served: ${reason}`, {
    advice: 'give the model another base'
  })
  return { ...definition, public: false, unserved: true }
}

function runModelScript({ folder, loadScript, pending }: ModelLoading, path: string, modelClass: unknown): void {
  const script = loadScript(path)
  if (!isFunction(script)) return
  runScript(() => script(modelClass), 'the model script failed', folder.nameOf(path), pending)
}

function attachModel(loading: ModelLoading, name: string, entry: ModelEntry): void {
  const { registry, app } = loading
  const model = registry.typeOf(name)
  const wanted = typeof entry.dataSource === 'string' ? entry.dataSource : null
  Object.defineProperty(model.modelClass, 'config', { value: entry, writable: true, configurable: true })
  for (const [method, spec] of Object.entries(entry.methods ?? {})) declareMethod(model, method, spec)
  attachScriptModel(registry, model, wanted)
  registry.relations.attached(model)
  applyMixins(loading.mixins, model, loading.pending)
  addToApplication(model)
  eventsOf(model.modelClass).emit('attached', app)
}
