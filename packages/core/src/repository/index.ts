export { aggregate, countBy } from './read/aggregate.ts'
export { announce, type HookFacts } from './records/announce.ts'
export {
  count,
  countRecords,
  exists,
  find,
  findById,
  findByIdForResponse,
  findForResponse,
  findOne,
  findOneForResponse
} from './read/find.ts'
export { type Read, readList, readRecords, readRows } from './read/read.ts'
export { filterOf, type Query, type QueryScope } from './read/read-plan.ts'
export { type RecordParts, Records, toValue } from './records/records.ts'
export { toInstance } from './records/records.ts'
export { checkWithin, firstWithin } from './records/rights.ts'
export { acceptData, checkMaySet, type WriteKind } from './records/accept-data.ts'
export { type Write, writeBy } from './records/rights.ts'
export { acceptNew, create, createAll, draftInstance, findOrCreate, toData } from './write/create.ts'
export { doAlone } from './write/insert-once.ts'
export { insertOrFind } from './write/insert-once.ts'
export { createForResponse, patchForResponse } from './write/write-rows.ts'
export { patchById, patchInstance } from './write/patch.ts'
export { save, replaceById, replaceInstance, replaceOrCreate } from './write/replace.ts'
export { patchOrCreate, upsertWithWhere } from './write/upsert.ts'
export { destroyAll, destroyById, updateAll } from './write/write-set.ts'
export { assign } from '../model/build-instance.ts'
export { byId, idOf, idText, idValues, onlyIds, storedIdOf, storedRow, toId, whereId } from './records/identify.ts'
export { resolveRelatedWhere, resolveWhereOfRecord } from './read/related.ts'
