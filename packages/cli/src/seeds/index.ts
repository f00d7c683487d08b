export { seed, seed as default } from './seed.ts'
export { type SeedOptions, SeedOptionsSchema } from './seed-run.ts'
export type { SeedAction, SeedCounts, SeedOutcome, SeedReport } from './report.ts'
export type { SeededApp, SeedScript, SeedScriptTools } from './run-script.ts'
export {
  SeedCycle,
  SeedError,
  SeedFileInvalid,
  SeedFolderMissing,
  SeedNameUnknown,
  type SeedPlace,
  SeedRecordRefused,
  SeedRecordTwice,
  SeedReferenceAmbiguous,
  SeedReferenceMissing,
  SeedResetRefused,
  SeedScriptFailed
} from '../errors.ts'
