export { findProblems, toDetails, validateInstance } from './validate-instance.ts'
export { dropRules, isDropped } from './drop-rules.ts'
