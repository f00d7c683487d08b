export type { AnswerBounds } from './answer-bounds.ts'
export type { ChangeFeedLimits } from './change-feed-limits.ts'
export { defaultQueryLimits, noQueryLimits, type QueryLimits } from './query-limits.ts'
