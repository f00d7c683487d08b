import { type BareModel, stateOf } from '../contract/bare-model.ts'

/** Lets code store a new record under the id that it has, also where `forceId` keeps everyone else from choosing one. */
export function allowOwnId<Record extends BareModel>(record: Record): Record {
  stateOf(record).hasOwnId = true
  return record
}
