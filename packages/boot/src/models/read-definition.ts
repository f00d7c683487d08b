import { isDeepStrictEqual } from 'node:util'
import type { ModelDefinition } from '@modelwire/core'
import { isPlainObject } from '@modelwire/core/plugin'
import { readProperties } from './read-property.ts'
import { readRelations } from './read-relation.ts'

type Drop = (key: string) => void

/** What a key means to the registry, whatever shape it has: undefined where nothing. */
type Reader = (value: unknown, drop: Drop) => unknown

/** A definition as the registry understands it. */
export interface ReadDefinition {
  readonly definition: ModelDefinition
  /** Keys as they were written, where that is another shape: scripts find them in `Model.settings`. */
  readonly kept: Readonly<Record<string, unknown>>
  /** Where something was written that has no meaning: `validations`, `relations.owner.onDelete`. */
  readonly dropped: readonly string[]
}

const isRuleSet = (value: unknown): boolean => isPlainObject(value) && 'rule' in value

/** `validations` as this application understands them: LoopBack reads none of them. */
function areValidations(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isRuleSet)
  return isPlainObject(value) && Object.values(value).every((rules) => [rules].flat().every(isRuleSet))
}

const objectOf: Reader = (value) => (isPlainObject(value) ? value : undefined)
const textOf: Reader = (value) => (value ? String(value) : undefined)

/** LB3: names in a list, or the keys of an object that are true; lib/model.js, isHiddenProperty. */
export function namesIn(value: unknown): string[] | undefined {
  if (Array.isArray(value)) return value.map(String)
  return isPlainObject(value) ? Object.keys(value).filter((name) => value[name]) : undefined
}

function readHttp(value: unknown): unknown {
  if (!isPlainObject(value)) return undefined
  const { path, ...others } = value
  return path ? { ...others, path: String(path) } : others
}

/** A method whose specification is not an object has none. LB3: null stops the start. */
function readMethods(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  const named = Object.entries(value).map(
    ([name, spec]) => [name, spec === null || isPlainObject(spec) ? spec : {}] as const
  )
  return Object.fromEntries(named)
}

/** A setting that is on unless it is false. */
const unlessFalse: Reader = (value) => value !== false
/** A setting that is on where it is anything true. */
const whereTrue: Reader = (value) => Boolean(value)

const strictWords: ReadonlySet<unknown> = new Set([true, false, 'throw', 'validate', 'filter'])

/** LB3: whatever is written besides false, null and the known words is as true; lib/model.js, _initProperties. */
function readStrict(value: unknown): unknown {
  if (value === undefined || value === null) return false
  return strictWords.has(value) ? value : true
}

const forceIdWords: ReadonlySet<unknown> = new Set([true, false, 'auto'])

/** LB3: what is neither true nor false is decided by who makes the ids; lib/model-builder.js. */
function readForceId(value: unknown): unknown {
  if (forceIdWords.has(value)) return value
  return value ? true : 'auto'
}

const readers: Readonly<Record<string, Reader>> = {
  plural: textOf,
  http: readHttp,
  properties: readProperties,
  relations: readRelations,
  acls: (value) => (Array.isArray(value) ? value : undefined),
  methods: readMethods,
  mixins: objectOf,
  validations: (value) => (areValidations(value) ? value : undefined),
  strict: readStrict,
  idInjection: unlessFalse,
  forceId: readForceId,
  replaceOnPUT: (value) => (typeof value === 'boolean' ? value : undefined),
  validateUpsert: whereTrue,
  automaticValidation: unlessFalse,
  persistUndefinedAsNull: whereTrue,
  applyDefaultsOnReads: unlessFalse,
  updateOnLoad: whereTrue,
  hidden: namesIn,
  protected: namesIn,
  scopes: objectOf,
  indexes: objectOf,
  remoting: objectOf
}

/** Names under which LoopBack looks first. */
const firstNames: Readonly<Record<string, string>> = { hidden: 'hiddenProperties', protected: 'protectedProperties' }

/** True for what is neither false nor empty. */
export const isNonEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value)

/** Reads a definition whose `options` are settings already. */
export function readDefinition(written: ModelDefinition): ReadDefinition {
  const read: Record<string, unknown> = { ...written }
  const kept: Record<string, unknown> = {}
  const dropped: string[] = []
  for (const [key, reader] of Object.entries(readers)) {
    const value = read[firstNames[key] ?? key] || read[key]
    if (value === undefined && !(key in read)) continue
    const meaning = reader(value, (part) => dropped.push(`${key}.${part}`))
    if (isDeepStrictEqual(meaning, written[key])) continue
    if (key in written) kept[key] = written[key]
    if (meaning === undefined) Reflect.deleteProperty(read, key)
    else read[key] = meaning
    if (meaning === undefined && isNonEmpty(value)) dropped.push(key)
  }
  return { definition: read as unknown as ModelDefinition, kept, dropped } // the same definition in known shapes
}
