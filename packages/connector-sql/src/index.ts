export type { CatalogDialect, TableName, ChangeLogDialect, ExistingTrigger } from './dialect/dialect.ts'
export type {
  Connection,
  ConnectionPool,
  Database,
  LagDialect,
  PartLimits,
  ReplicaHosts,
  StatementResult,
  StatementRunner
} from './dialect/database.ts'
export type {
  AggregateDialect,
  JsonDialect,
  JsonItems,
  KeyLocks,
  LikePattern,
  SqlDialect,
  Subject
} from './dialect/dialect.ts'
export { type Fault, isConnectionCode, isConnectTimeout, type PlainFault, type TakenIndex } from './dialect/fault.ts'
export type { GeneratedId, MigrationLock, SchemaDialect } from './dialect/schema-dialect.ts'
export {
  MigrationStepFailed,
  NumberNotExact,
  RenameInvalid,
  NotUpdatable,
  SchemaMissing,
  SeveralStatements,
  StatementOutdated,
  TransactionNeeded,
  UndeclaredNotStored
} from './errors.ts'
export {
  insertDefaults,
  momentOf,
  plainLiteral,
  rowTriggers,
  standardLiteral,
  standardSchema,
  standardSql
} from './dialect/standard-sql.ts'
export {
  connectionsSetting,
  ServerSettingsSchema,
  SqlSettingsSchema,
  type ReplicaSettings,
  type ServerSettings,
  type SqlSettings,
  type StatementLog,
  type TargetSession,
  zoneOptions
} from './settings.ts'
export { createHostPool, type HostPoolOptions } from './hosts/host-pool.ts'
export { type ListedHost, type ServerAddress, type ServerAddresses, serverAddresses } from './hosts/server-addresses.ts'
export { openServers, type PoolUse, type ServerKind } from './hosts/open-hosts.ts'
export { type SessionState, sessionMismatch, isUnsuitableHost, unsuitableHost } from './hosts/target-session.ts'
export { createOpenSockets, type OpenSockets } from './connection/open-sockets.ts'
export { type Notation, type RawRow, type Sql, sql, type Statement, writeStatement } from './sql.ts'
export { SqlConnector } from './sql-connector.ts'
export { type Column, columnKindOf, type ExactText } from './table/column.ts'
export { type ColumnKind, type ColumnType, type ColumnTypes, columnTypes } from './table/column-types.ts'
export { type Comparing, type Fit, fitOf } from './table/column-fit.ts'
export type { SqlTable } from './table/sql-table.ts'
export { addUndeclared } from './table/undeclared.ts'
export { readTimestamp } from './values/read-timestamp.ts'
export { type Zone, writtenIn, zoneOf } from './values/zone.ts'
export { decodeValue, finite, readNumber } from './values/decode-value.ts'
export { isFound, jsonSteps, writeStep, type JsonPlace, type JsonStep } from './where/test-json.ts'
