export { ChangeLogNotMigrated, ChangeTransportFailed } from './errors.ts'
export { type ChangesOptions, ChangesOptionsSchema } from './options.ts'
export { installChanges } from './install-changes.ts'
export { changes, changes as default } from './plugin.ts'
export type {
  Appending,
  Candidate,
  ChangeStreamConnection,
  ChangeTransport,
  Lease,
  StreamEntry,
  StreamListener,
  StreamTail,
  StreamTexts
} from './transport/change-transport.ts'
export {
  leaseTimeSetting,
  makeTransport,
  type TransportSettings,
  readPlace,
  writePlace
} from './transport/change-transport.ts'
export { decodeRow, encodeRow } from './transport/row-json.ts'
