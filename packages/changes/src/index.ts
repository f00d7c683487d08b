export { ChangeLogNotMigrated, ChangeTransportFailed } from './errors.ts'
export { type ChangesOptions, ChangesOptionsSchema } from './options.ts'
export { changes, changes as default, installChanges } from './plugin.ts'
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
export { leaseTimeSetting } from './transport/lease-time.ts'
export { readPlace, writePlace } from './transport/log-places.ts'
export { decodeRow, encodeRow } from './transport/row-json.ts'
export { makeTransport, type TransportSettings } from './transport/make-transport.ts'
