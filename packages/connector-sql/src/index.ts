export type { ChangeLogDialect, ExistingTrigger } from './change-log/change-log-dialect.ts'
export type { Connection, ConnectionPool, StatementRunner } from './connection/pool.ts'
export type { Database, JsonItems, LikePattern, SqlDialect, Subject } from './dialect.ts'
export {
  LockOutsideTransaction,
  MigrationStepFailed,
  NumberNotExact,
  RenameInvalid,
  SchemaMissing,
  SeveralStatements,
  StatementOutdated,
  TransactionNeeded,
  UndeclaredNotStored
} from './errors.ts'
export type { AggregateDialect } from './find/aggregate-dialect.ts'
export { isConnectionCode, isConnectTimeout } from './faults/is-connection-code.ts'
export type { Fault, PlainFault } from './faults/fault.ts'
export type { CatalogDialect, CatalogType, TableName } from './discover/catalog-dialect.ts'
export { momentOf, plainLiteral } from './migrate/column-default.ts'
export type { MigrationLock } from './migrate/migration-lock.ts'
export type { SchemaDialect } from './migrate/schema-dialect.ts'
export {
  ServerSettingsSchema,
  SqlSettingsSchema,
  type ReplicaSettings,
  type ServerSettings,
  type SqlSettings,
  type StatementLog
} from './settings.ts'
export type { Host } from './hosts/find-host.ts'
export { createHostPool, type HostPoolOptions } from './hosts/host-pool.ts'
export { type ListedHost, type ServerAddress, type ServerAddresses, serverAddresses } from './hosts/server-addresses.ts'
export type { LagDialect } from './hosts/lag-dialect.ts'
export { replicaHosts } from './hosts/replica-hosts.ts'
export type { ReplicaHosts } from './hosts/replicas.ts'
export { openHosts, type HostKind } from './hosts/open-hosts.ts'
export { type SessionState, type TargetSession, unsuited } from './hosts/target-session.ts'
export { isUnsuitableHost, unsuitableHost } from './hosts/unsuitable-host.ts'
export { createOpenSockets, type OpenSockets } from './connection/open-sockets.ts'
export type { RawRow, StatementResult } from './statement/statement-result.ts'
export { type Notation, type Sql, sql, type Statement, writeStatement } from './sql.ts'
export { SqlConnector } from './sql-connector.ts'
export type { ColumnKind } from './table/column-kind.ts'
export type { Column, ExactText } from './table/column.ts'
export type { Exactness } from './table/exact-text.ts'
export type { SqlTable } from './table/sql-table.ts'
export { addUndeclared } from './table/undeclared.ts'
export { decodeValue } from './values/decode-value.ts'
export { readNumber } from './values/read-number.ts'
export { finite } from './values/finite.ts'
export { isFound, jsonSteps, writeStep, type JsonPlace, type JsonStep } from './where/json-steps.ts'
