import { isDeepStrictEqual } from 'node:util'
import type { ModelDefinition } from '@modelwire/core'
import { isPlainObject } from '@modelwire/server'

/** Keys that name something, and mean the default where they are null, false or empty. */
const names = ['model', 'foreignKey', 'primaryKey', 'through', 'keyThrough', 'property'] as const

/** What is known to the registry of deletions; LoopBack reads the key nowhere. */
const deletions: ReadonlySet<unknown> = new Set(['restrict', 'cascade', 'setNull'])

const isLeftOut = (written: unknown): boolean => written === null || written === false || written === ''

type Drop = (key: string) => void

/** The meaning of a key to the registry, whatever its shape: undefined if there is none. */
type Reader = (value: unknown, drop: Drop) => unknown

/** A definition in the form that the registry supports. */
export interface ReadDefinition {
  readonly definition: ModelDefinition
  /** Keys as written, if their shape differs: scripts find them in `Model.settings`. */
  readonly kept: Readonly<Record<string, unknown>>
  /** The keys with values that have no meaning: `validations`, `relations.owner.onDelete`. */
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

/** True for a value that is neither false nor empty. */
export const isNonEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value)

/** Reads a definition whose `options` are already merged into its settings. */
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

/** LB3: of several types in a list the first counts. What is not a type at all keeps values as they are. */
function readType(type: unknown, drop: Drop): unknown {
  if (Array.isArray(type)) return type.length > 0 ? [readType(type[0], drop)] : type
  if (isPlainObject(type)) return 'type' in type ? readProperty(type, drop) : readNested(type, drop)
  if (typeof type === 'string' ? type !== '' : typeof type === 'function' || type === undefined) return type
  if (typeof type === 'object' && type !== null) return type
  drop('type')
  return 'any'
}

function readNested(properties: Readonly<Record<string, unknown>>, drop: Drop): Record<string, unknown> {
  const entries = Object.entries(properties).filter(([, written]) => !isLeftOut(written))
  return Object.fromEntries(
    entries.map(([name, written]) => [name, readProperty(written, (key) => drop(`${name}.${key}`))])
  )
}

function readProperty(written: unknown, drop: Drop): unknown {
  if (!isPlainObject(written)) return readType(written, drop)
  if (!('type' in written)) return readNested(written, drop)
  return { ...written, type: readType(written['type'], drop) }
}

/**
 * The properties of a definition in the shapes that the registry knows. A list holds types by its places. Null and
 * false stay, since they leave out what a base has; an empty text is not a property.
 * @see LoopBack 3: loopback-datasource-juggler, lib/model-builder.js, define and resolveType
 */
function readProperties(written: unknown, drop: Drop): unknown {
  const properties: unknown = written || {}
  if (!isPlainObject(properties) && !Array.isArray(properties)) return properties
  const entries = Object.entries(properties as Readonly<Record<string, unknown>>).filter(([, value]) => value !== '') // of a list, its places
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      isLeftOut(value) ? value : readProperty(value, (key) => drop(`${name}.${key}`))
    ])
  )
}

function readNames(relation: Record<string, unknown>): void {
  for (const key of names.filter((name) => name in relation)) {
    const value = relation[key]
    if (!value) Reflect.deleteProperty(relation, key)
    else if (Array.isArray(value)) relation[key] = String(value)
  }
}

function readRelation(written: unknown, drop: Drop): unknown {
  if (!isPlainObject(written)) return written
  const { options, onDelete, invert, ...relation } = written
  readNames(relation)
  const isKnown = deletions.has(onDelete)
  if (!isKnown && onDelete) drop('onDelete')
  return {
    ...relation,
    ...(isKnown ? { onDelete } : {}),
    ...(isPlainObject(options) ? { options } : {}),
    ...(invert ? { invert: true } : {})
  }
}

/** The relations of a definition in the shapes that the registry knows; a list has them by their places. */
function readRelations(written: unknown, drop: Drop): unknown {
  if (!isPlainObject(written) && !Array.isArray(written)) return undefined
  return Object.fromEntries(
    Object.entries(written).map(([name, value]) => [name, readRelation(value, (key) => drop(`${name}.${key}`))])
  )
}
