export { ChangeLogNotMigrated } from './errors.ts'
export { type ChangesOptions, ChangesOptionsSchema } from './options.ts'
export { changes, changes as default, installChanges } from './plugin.ts'
