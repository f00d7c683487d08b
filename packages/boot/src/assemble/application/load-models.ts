import type { ModelDefinition, ModelRegistry } from '@modelwire/core'
import { UnknownDataSource, UnknownModel } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import type { AppFolder } from '../../read/files/app-folder.ts'
import type { AddNote } from '../../boot-report.ts'
import { isFunction } from '@modelwire/loopback/express'
import {
  absentModels,
  addToApplication,
  attachScriptModel,
  configuredDefinition,
  configureRules,
  declareMarkedMethods,
  declareMethod,
  defineEmail,
  defineFreely,
  droppedKeysOf,
  emailModel,
  eventsOf,
  fixedOptions,
  type ModelEntry,
  namesIn,
  provideMixins,
  refuseReplication,
  type ScriptApp,
  settingsOf,
  setUpModel
} from '@modelwire/loopback/api'
import type { DataSources } from '../../read/connectors/create-data-sources.ts'
import { applyMixins, type Mixins, noteUnknownMixins } from './apply-mixins.ts'
import { runScript } from './run-script.ts'
import type { LoadScript } from '../../read/files/load-script.ts'
import type { ModelFile } from '../../read/models/find-model-files.ts'
import type { ModelConfig } from '../../read/models/read-model-config.ts'
import { BaseModelCycle } from '../../errors.ts'

/** The context for loading the models of an application. */
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
  /** Collects the promises of scripts that startup waits for. */
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
    add('ignored', { file, key: `${name}.options.${key}` }, 'options cannot override this part of a model', {
      effect: 'info',
      advice: "change it in the model's own file"
    })
  if (entry.dataSource === undefined)
    add('info', { file, key: name }, 'the data source is missing: use null if none is wanted')
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
      'LoopBack reads this key only in model-config.json, below options',
      { effect: 'info', advice: 'move it there' }
    )
  noteUnknownMixins(mixins, type, model.file, add)
  if (model.script !== undefined) runModelScript(loading, model.script, modelClass)
}

/**
 * The definition as it can be defined: on a built-in base that is not served, a model is defined with a bare one
 * and kept private, since it would otherwise be served without that base's protection.
 */
function standOnBase(
  { registry, add }: ModelLoading,
  { file }: ModelFile,
  definition: ModelDefinition
): ModelDefinition {
  const base = definition.base ?? 'PersistedModel'
  const existing = registry.find(base)
  const unserved = existing === undefined ? absentModels.has(base) : existing.definition['unserved'] === true
  if (!unserved) return definition
  if (existing === undefined)
    registry.define({ name: base, base: 'PersistedModel', public: false, dataSource: null, unserved: true })
  const reason = absentModels.get(base) ?? `its base ${base} is not`
  add('ignored', { file, key: 'base' }, `the model is not served: ${reason}`, {
    advice: 'choose another base model'
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

/**
 * Hides and protects properties by `Model.settings` after the scripts have run: they may add to those of files.
 * @see LoopBack 3: loopback-datasource-juggler, lib/model.js, isHiddenProperty
 */
function hideBySettings(registry: ModelRegistry): void {
  for (const name of registry.names()) {
    const model = registry.typeOf(name)
    const {
      hidden,
      protected: shielded,
      hiddenProperties,
      protectedProperties
    }: Record<string, unknown> = settingsOf(model)
    for (const property of namesIn(hiddenProperties || hidden) ?? []) model.hidden.add(property)
    for (const property of namesIn(protectedProperties || shielded) ?? []) model.protected.add(property)
  }
}

/**
 * The files of the given models and of their base models, in an order in which each base precedes the models that extend
 * it.
 * @throws {BaseModelCycle} models extend each other in a circle
 */
export function orderModels(names: Iterable<string>, files: ReadonlyMap<string, ModelFile>): ModelFile[] {
  const ordered = new Set<ModelFile>()
  const visit = (name: string, below: readonly string[]): void => {
    const model = files.get(name)
    if (model === undefined || ordered.has(model)) return
    if (below.includes(name)) {
      throw new BaseModelCycle(
        `the models extend each other: ${[...below.slice(below.indexOf(name)), name].join(' → ')}`,
        { model: name, file: model.file, key: 'base' }
      )
    }
    const { base } = model.definition
    if (typeof base === 'string') visit(base, [...below, name])
    ordered.add(model)
  }
  for (const name of names) visit(name, [])
  return [...ordered]
}

/** Reports keys without a meaning. */
function noteFreeKeys(model: ModelType, file: string, add: AddNote): void {
  for (const key of droppedKeysOf(model)) {
    const reason = `${key} in this form has no effect by itself, as in LoopBack; scripts can read it from Model.settings`
    add('ignored', { file, key }, reason, { advice: 'rename the key, or correct it' })
  }
}
