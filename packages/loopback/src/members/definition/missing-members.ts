import { replicationAdvice } from './built-in-models.ts'
import { GeoPoint } from '@modelwire/core'
import { isPlainObject } from '@modelwire/server'

const classes: readonly (readonly [made: (value: unknown) => boolean, type: string])[] = [
  [(value) => value instanceof Date, 'date'],
  [(value) => Buffer.isBuffer(value), 'buffer'],
  [(value) => value instanceof GeoPoint, 'geopoint']
]

/** Members of LoopBack's models that only replication uses. */
const ofReplication = [
  'bulkUpdate',
  'changes',
  'checkpoint',
  'createChangeFilter',
  'createUpdates',
  'currentCheckpoint',
  'diff',
  'enableChangeTracking',
  'findLastChange',
  'getChangeModel',
  'getSourceId',
  'handleChangeError',
  'rectifyAllChanges',
  'rectifyChange',
  'replicate',
  'updateLastChange'
] as const

/** Members that LoopBack itself calls on models: defining them in a script only has an effect in LoopBack. */
export const calledByLoopBack: ReadonlySet<string> = new Set([
  'applyScope',
  'defaultScope',
  'applyProperties',
  'setupRemoting',
  'belongsToRemoting',
  'hasOneRemoting',
  'hasManyRemoting',
  'scopeRemoting',
  'sharedCtor'
])

/** Members of LoopBack's models that are not provided, with their replacements. */
export const missingStatics: Readonly<Record<string, string>> = {
  ...Object.fromEntries(ofReplication.map((name) => [name, replicationAdvice])),
  include: 'use the filter include of find',
  normalizeInclude: 'use the filter include of find',
  notifyObserversAround: 'use Model.notifyObserversOf',
  applyScope: 'use the key scope of the model file',
  defaultScope: 'use the key scope of the model file',
  applyProperties: 'use the key properties of the relation',
  setupRemoting: 'use Model.setup, or Model.remoteMethod',
  belongsToRemoting: 'use Model.disableRemoteMethodByName for the methods of relations',
  hasOneRemoting: 'use Model.disableRemoteMethodByName for the methods of relations',
  hasManyRemoting: 'use Model.disableRemoteMethodByName for the methods of relations',
  scopeRemoting: 'use Model.disableRemoteMethodByName for the methods of relations',
  sharedCtor: 'use Model.beforeRemote("prototype.*", …) or the observer "loaded"'
}

/** Members of LoopBack's records that are not provided, with their replacements. */
export const missingOfRecords: Readonly<Record<string, string>> = {
  fillCustomChangeProperties: replicationAdvice,
  reset: 'use reload',
  setStrict: 'use the key strict of the model file',
  trigger: 'use Model.notifyObserversOf'
}

/**
 * The properties of a model with records like `sample`.
 * @see LoopBack 3: loopback-datasource-juggler, lib/introspection.js
 */
export function describeSample(sample: unknown): Record<string, unknown> {
  if (!isPlainObject(sample)) return {}
  return Object.fromEntries(Object.entries(sample).map(([name, value]) => [name, { type: typeOfSample(value) }]))
}

function typeOfSample(value: unknown): unknown {
  if (value === null || value === undefined) return 'any'
  const named = classes.find(([isOne]) => isOne(value))
  if (named !== undefined) return named[1]
  if (Array.isArray(value)) return typeOfList(value)
  if (typeof value !== 'object') return typeof value
  const nested = Object.entries(value).map(([name, item]) => [name, typeOfSample(item)] as const)
  return nested.length === 0 ? 'object' : Object.fromEntries(nested)
}

function typeOfList(list: readonly unknown[]): unknown {
  const first = list.find((item) => item !== null && item !== undefined)
  return first === undefined ? 'array' : [typeOfSample(first)]
}
