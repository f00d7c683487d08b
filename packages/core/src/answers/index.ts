export { checkHeader, checkStatus, isHeader } from './check-head.ts'
export * from './errors.ts'
export { isAnswered } from './is-answered.ts'
export { replacedQuery, replaceQuery } from './replaced-query.ts'
