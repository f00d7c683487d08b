import { isPlainObject } from '@modelwire/server'
import type { AddNote } from '../../boot-report.ts'
import type { Config } from '../config/read-config.ts'
import { checkConfig, ModelMetaSchema } from '../config/settings-schema.ts'
import { isNonEmpty, type ModelEntry, ModelEntrySchema } from '@modelwire/loopback/api'
import { ConfigValueInvalid } from '../../errors.ts'

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
  const { sources, mixins } = checkConfig(ModelMetaSchema, withoutFalse(meta || {}), config, ['_meta'])
  const entries = new Map<string, ModelEntry>()
  for (const [name, value] of Object.entries(models)) {
    const entry = readEntry(name, value, config, add)
    if (entry !== undefined) entries.set(name, entry)
  }
  return { sources: sources ?? ['./models'], mixinSources: mixins ?? ['./mixins'], entries, config }
}

const withoutFalse = (value: unknown): unknown =>
  isPlainObject(value) ? Object.fromEntries(Object.entries(value).filter(([, part]) => part)) : value

function readEntry(name: string, value: unknown, config: Config, add: AddNote): ModelEntry | undefined {
  const file = config.fileOf(name)
  if (!value) {
    add('info', { file, key: name }, 'the model is disabled')
    return undefined
  }
  if (isPlainObject(value) && value['properties']) {
    throw new ConfigValueInvalid("properties belong in the model's own file: this is the LoopBack 1 format", {
      file,
      key: `${name}.properties`
    })
  }
  const ignore = (key: string, reason: string, advice: string): void =>
    add('ignored', { file, key: `${name}.${key}` }, reason, { effect: 'info', advice })
  const entry = checkConfig(ModelEntrySchema, inKnownShapes(value, ignore), config, [name])
  for (const key of Object.keys(entry).filter((each) => !entryKeys.includes(each)))
    ignore(key, "LoopBack reads this key only in the model's own file", 'move it into the file of the model')
  return entry
}

type Ignore = (key: string, reason: string, advice: string) => void

/** Parts of an entry that are objects. LB3: other values have no effect; lib/registry.js, configureModel. */
const objects = ['options', 'relations', 'methods'] as const

/** LB3: an entry that is true, or a text, configures nothing; anything but false makes a model public. */
function inKnownShapes(value: unknown, ignore: Ignore): Record<string, unknown> {
  if (!isPlainObject(value)) return {}
  const entry: Record<string, unknown> = { ...value }
  for (const key of objects.filter((each) => each in entry && !isPlainObject(entry[each]))) {
    if (isNonEmpty(entry[key])) ignore(key, `${key} must be an object, so it has no effect`, 'correct it, or remove it')
    Reflect.deleteProperty(entry, key)
  }
  if ('acls' in entry && !isNonEmpty(entry['acls'])) Reflect.deleteProperty(entry, 'acls')
  if (!entry['dataSource'] && entry['dataSource'] !== null && entry['dataSource'] !== false)
    Reflect.deleteProperty(entry, 'dataSource')
  if ('public' in entry) entry['public'] = entry['public'] !== false
  return entry
}
