import type { ModelRegistry } from '@modelwire/core'
import { isShared, type ModelType, predefinedMethods, type SharedMethods } from '@modelwire/core/plugin'
import type { AddNote } from '../boot-report.ts'
import type { Config } from '../config/read-config.ts'

/** The inputs of the note about updates of many records. */
export interface UpdateNotes {
  readonly registry: ModelRegistry
  readonly config: Config
  /** `remoting.sharedMethods` of `config.json`. */
  readonly shared: SharedMethods
  readonly add: AddNote
}

const key = 'remoting.sharedMethods.updateAll'

/** Clients reach `updateAll` of this model. */
function updatesMany(model: ModelType, shared: SharedMethods): boolean {
  const { definition, persisted, dataSource, methods } = model
  if (definition.public !== true || !persisted || dataSource === undefined) return false
  const updateAll = { model, name: 'updateAll', onInstance: false, ...predefinedMethods.updateAll }
  return isShared(updateAll, methods.disabled, shared, definition.remoting?.sharedMethods)
}

/**
 * Reports once that clients may change many records without validation, as in LoopBack, unless `config.json` decides
 * it.
 */
export function noteUpdatesOfMany({ registry, config, shared, add }: UpdateNotes): void {
  if (shared['updateAll'] !== undefined) return
  const models = registry.names().map((name) => registry.typeOf(name))
  if (!models.some((model) => updatesMany(model, shared))) return
  const reason = 'unless this is false, POST /MODEL/update changes many records without validation, as in LoopBack'
  const advice = 'set it to false where no client needs it, or to true to keep it'
  add('info', { file: config.fileOf('remoting'), key }, reason, { advice })
}
