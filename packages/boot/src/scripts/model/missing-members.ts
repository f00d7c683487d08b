import { replicationAdvice } from '../../models/refuse-replication.ts'

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

/** Members that LoopBack itself calls on models: one that a script puts there has an effect in LoopBack alone. */
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

/** Members of LoopBack's models that are not there, with what to use. */
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

/** Members of LoopBack's records that are not there, with what to use. */
export const missingOfRecords: Readonly<Record<string, string>> = {
  fillCustomChangeProperties: replicationAdvice,
  reset: 'use reload',
  setStrict: 'use the key strict of the model file',
  trigger: 'use Model.notifyObserversOf'
}
