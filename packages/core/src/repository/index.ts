export { count, exists, find, findById, findOne, toInstances } from './find.ts'
export { type Answer, findAnswer, findAnswerById, findFirstAnswer, toAnswer } from './find-answer.ts'
export type { Result } from './run-query.ts'
export {
  countUnder,
  filterUnder,
  findRowsUnder,
  findUnder,
  queryUnder,
  type QueryScope,
  type ScopedQuery
} from './find-under.ts'
export { completeRow, completeRows } from './complete-row.ts'
export { toInstance } from './to-instance.ts'
export { jsonShape } from './find-text.ts'
export { Found, FoundText, pickRows } from './found.ts'
export { checkWithin } from './check-within.ts'
export { acceptData, checkMaySet, type WriteKind } from './accept-data.ts'
export { type Write, writeBy } from './write-within.ts'
export { acceptNew, create, createAsStored, createForAnswer, draftInstance, toData } from './create.ts'
export { findOrCreate } from './find-or-create.ts'
export { createAll } from './create-all.ts'
export { patchForAnswer } from './patch-for-answer.ts'
export { patchInstance, patchById, updateAll } from './update.ts'
export { save } from './save.ts'
export { replaceById, replaceInstance, replaceOrCreate } from './replace.ts'
export { patchOrCreate, upsertWithWhere } from './upsert.ts'
export { destroyAll, destroyById } from './destroy.ts'
export { assign } from '../model/build-instance.ts'
export { idOf, toId, whereId } from './identify.ts'
export { resolveRelatedWhere, resolveWhereOfRecord } from './resolve-related.ts'
