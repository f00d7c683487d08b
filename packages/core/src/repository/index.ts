export { aggregate } from './aggregate.ts'
export { announce, type HookFacts } from './announce.ts'
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
} from './find.ts'
export { type Read, readRecords, readRows } from './read.ts'
export { filterOf, type Query, type QueryScope } from './read-plan.ts'
export { type RecordParts, Records, toValue } from './records.ts'
export { toInstance } from './to-instance.ts'
export { checkWithin, firstWithin } from './check-within.ts'
export { acceptData, checkMaySet, type WriteKind } from './accept-data.ts'
export { type Write, writeBy } from './write-within.ts'
export { acceptNew, create, createForResponse, draftInstance, toData } from './create.ts'
export { doAlone } from './alone.ts'
export { insertOrFind } from './overtaken.ts'
export { findOrCreate } from './find-or-create.ts'
export { createAll } from './create-all.ts'
export { patchForResponse } from './patch-for-response.ts'
export { patchInstance, patchById, updateAll } from './update.ts'
export { save } from './save.ts'
export { replaceById, replaceInstance, replaceOrCreate } from './replace.ts'
export { patchOrCreate, upsertWithWhere } from './upsert.ts'
export { destroyAll, destroyById } from './destroy.ts'
export { assign } from '../model/build-instance.ts'
export { byId, idOf, onlyIds, toId, whereId } from './identify.ts'
export { resolveRelatedWhere, resolveWhereOfRecord } from './resolve-related.ts'
