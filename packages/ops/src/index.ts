export type { Readiness } from './check-readiness.ts'
export { type OpsOptions, OpsOptionsSchema } from './options.ts'
export { ops, ops as default } from './plugin.ts'
