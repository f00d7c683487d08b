import { isFunction, ScriptFailed, type ScriptFunction } from '@modelwire/loopback/express'
import type { AppFolder } from '../../read/files/app-folder.ts'
import type { AddNote } from '../../boot-report.ts'
import { runScript } from './run-script.ts'
import type { LoadScript } from '../../read/files/load-script.ts'
import { builtInMixins } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'

/** The mixins of an application. */
export interface Mixins {
  readonly has: (name: string) => boolean
  /** The function that a mixin's script exports. */
  readonly load: (name: string) => ScriptFunction
  readonly fileOf: (name: string) => string
}

/** Mixins by name, from the scripts that were found. Only those used by a model are loaded. */
export function createMixins(folder: AppFolder, scripts: ReadonlyMap<string, string>, loadScript: LoadScript): Mixins {
  const pathOf = (name: string): string => scripts.get(name) ?? name
  const fileOf = (name: string): string => folder.nameOf(pathOf(name))
  const load = (name: string): ScriptFunction => {
    const loaded = loadScript(pathOf(name))
    if (isFunction(loaded)) return loaded
    throw new ScriptFailed('the script of a mixin must export a function', { file: fileOf(name) })
  }
  return { has: (name) => scripts.has(name), load, fileOf }
}

/** Reports which mixins of a model do not exist, if the version ignores them. */
export function noteUnknownMixins(mixins: Mixins, model: ModelType, file: string, add: AddNote): void {
  if (!model.registry.rules.ignoresUnknownMixins) return
  for (const [name] of wantedMixins(model)) {
    if (mixins.has(name) || builtInMixins.has(name)) continue
    add('ignored', { file, key: `mixins.${name}` }, 'no file in the mixin folders defines this mixin', {
      effect: 'fails',
      advice: 'add its script to a folder of _meta.mixins, or remove it from the model'
    })
  }
}

/**
 * Applies the application's mixins to a model, those of its base included, each once per set of options.
 * @param pending takes the promises that mixins return
 * @throws {ScriptFailed} a mixin failed, or its script exports no function
 */
export function applyMixins(mixins: Mixins, model: ModelType, pending: Promise<unknown>[]): void {
  for (const [name, value] of wantedMixins(model).filter(([wanted]) => mixins.has(wanted))) {
    const mixin = mixins.load(name)
    for (const options of [value].flat()) {
      const run = (): unknown => mixin(model.modelClass, isPlainObject(options) ? options : {})
      runScript(run, `the mixin failed on ${model.name}`, mixins.fileOf(name), pending)
    }
  }
}

/** The mixins of a model that are not switched off. LB3: anything but true, an object or a list counts as off. */
function wantedMixins(model: ModelType): [string, unknown][] {
  return Object.entries(model.definition.mixins ?? {}).filter(
    ([, value]) => value === true || (typeof value === 'object' && value !== null)
  )
}
