import { isPlainObject } from '@modelwire/core'
import type { AddNote } from '../boot-report.ts'
import type { Config } from '../config/read-config.ts'
import { checkConfig, type ModelEntry, ModelEntrySchema, ModelMetaSchema } from '../config/settings-schema.ts'
import { ConfigValueInvalid } from '../errors.ts'

/** `model-config.json`, checked. */
export interface ModelConfig {
  readonly sources: readonly string[]
  readonly mixinSources: readonly string[]
  /** The models to attach, in the order of the file. */
  readonly entries: ReadonlyMap<string, ModelEntry>
  readonly config: Config
}

const entryKeys = Object.keys(ModelEntrySchema.properties)

/**
 * Checks `model-config.json`.
 * @throws {ConfigValueInvalid} a key has the wrong type, or an entry declares properties as LoopBack 1 did
 */
export function readModelConfig(config: Config, add: AddNote): ModelConfig {
  const { _meta: meta, ...models } = config.value
  const { sources, mixins } = checkConfig(ModelMetaSchema, meta ?? {}, config, ['_meta'])
  const entries = new Map<string, ModelEntry>()
  for (const [name, value] of Object.entries(models)) {
    const entry = readEntry(name, value, config, add)
    if (entry !== undefined) entries.set(name, entry)
  }
  return { sources: sources ?? ['./models'], mixinSources: mixins ?? ['./mixins'], entries, config }
}

function readEntry(name: string, value: unknown, config: Config, add: AddNote): ModelEntry | undefined {
  const file = config.fileOf(name)
  if (value === null || value === false) {
    add('info', { file, key: name }, 'the model is switched off')
    return undefined
  }
  if (isPlainObject(value) && 'properties' in value) {
    throw new ConfigValueInvalid("properties belong into the model's own file: this is the format of LoopBack 1", {
      file,
      key: `${name}.properties`
    })
  }
  const entry = checkConfig(ModelEntrySchema, value, config, [name])
  for (const key of Object.keys(entry).filter((known) => !entryKeys.includes(known))) {
    add('ignored', { file, key: `${name}.${key}` }, "LoopBack reads this key in the model's own file alone", {
      effect: 'info',
      advice: 'move it into the file of the model'
    })
  }
  return entry
}
