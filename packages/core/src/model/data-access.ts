import type { ModelConstructor, ModelInstance } from '../contract/model-instance.ts'

/**
 * Names of the methods by which code reads and writes records, those of models and those of records: all of them give promises.
 * Their other names call them.
 */
export const dataAccessMethods = {
  ofModels: [
    'find',
    'findOne',
    'findById',
    'count',
    'aggregate',
    'exists',
    'create',
    'findOrCreate',
    'patchOrCreate',
    'replaceOrCreate',
    'replaceById',
    'upsertWithWhere',
    'updateAll',
    'destroyAll',
    'destroyById',
    'createChangeStream',
    'notifyObserversOf'
  ],
  ofRecords: ['save', 'patchAttributes', 'replaceAttributes', 'updateAttribute', 'destroy', 'reload']
} as const satisfies {
  readonly ofModels: readonly (keyof ModelConstructor)[]
  readonly ofRecords: readonly (keyof ModelInstance)[]
}
