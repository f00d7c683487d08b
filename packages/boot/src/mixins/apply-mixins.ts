import { isPlainObject, type ModelType } from '@modelwire/core'
import type { AppFolder } from '../app-folder.ts'
import type { AddNote } from '../boot-report.ts'
import { isFunction, type ScriptFunction } from '../callback-bridge.ts'
import { ScriptFailed, UnknownMixin } from '../errors.ts'
import { loadScript, messageOf } from '../scripts/load-script.ts'

/** The mixins of an application. */
export interface Mixins {
  /** Refuses a model that asks for a mixin which does not exist. */
  readonly check: (model: ModelType, file: string) => void
  /** What a mixin's script exports; undefined when that is no function. */
  readonly load: (name: string) => Promise<ScriptFunction | undefined>
  readonly fileOf: (name: string) => string
}

/** Mixins by name, from the scripts that were found. Only those that a model asks for are loaded. */
export function createMixins(folder: AppFolder, scripts: ReadonlyMap<string, string>, add: AddNote): Mixins {
  const refuse = (model: ModelType, name: string, file: string): void => {
    const place = { file, key: `mixins.${name}` }
    const reason = `no file of the mixin folders makes the mixin "${name}"`
    if (!model.registry.version.ignoresUnknownMixins) throw new UnknownMixin(reason, { model: model.name, ...place })
    add('ignored', place, reason)
  }
  return {
    check: (model, file) => {
      for (const [name] of wantedMixins(model)) if (!scripts.has(name)) refuse(model, name, file)
    },
    load: async (name) => {
      const path = scripts.get(name)
      const loaded = path === undefined ? undefined : await loadScript(folder, path)
      return isFunction(loaded) ? loaded : undefined
    },
    fileOf: (name) => folder.nameOf(scripts.get(name) ?? name)
  }
}

/**
 * Applies the mixins of a model, those of its base included, each once per set of options.
 * @throws {ScriptFailed} a mixin failed, or its script exports no function
 */
export async function applyMixins(mixins: Mixins, model: ModelType): Promise<void> {
  for (const [name, value] of wantedMixins(model)) {
    const file = mixins.fileOf(name)
    const mixin = await mixins.load(name)
    if (mixin === undefined) {
      if (model.registry.version.ignoresUnknownMixins) continue
      throw new ScriptFailed('the script of a mixin exports a function', { file })
    }
    for (const options of [value].flat()) await apply(mixin, model, options, file)
  }
}

async function apply(mixin: ScriptFunction, model: ModelType, options: unknown, file: string): Promise<void> {
  try {
    await mixin(model.modelClass, isPlainObject(options) ? options : {})
  } catch (cause) {
    throw new ScriptFailed(`the mixin failed on ${model.name}: ${messageOf(cause)}`, { file }, { cause })
  }
}

/** The mixins of a model that are not switched off. LB3: anything but true, an object or a list counts as off. */
function wantedMixins(model: ModelType): [string, unknown][] {
  return Object.entries(model.definition.mixins ?? {}).filter(([, value]) => value === true || (typeof value === 'object' && value !== null))
}
