export type {
  Connection,
  Database,
  DirectRunner,
  JsonItems,
  LikePattern,
  OpenDatabase,
  SqlDialect,
  Subject
} from './dialect.ts'
export {
  ConstraintViolated,
  DatabaseFull,
  IsolationUnknown,
  MigrationFailed,
  MigrationLocked,
  MigrationPlanChanged,
  SchemaMissing,
  StatementTimeout,
  TransactionAborted,
  TransactionConflict,
  TransactionOver,
  UndeclaredNotStored,
  ValueRefused
} from './errors.ts'
export type { Fault } from './faults/fault.ts'
export type { CatalogDialect, CatalogType, TableName } from './discover/catalog-dialect.ts'
export type { JsonDialect } from './json/json-dialect.ts'
export type { MigrationLock } from './migrate/migration-lock.ts'
export type { SchemaDialect } from './migrate/schema-dialect.ts'
export {
  defaultConnectTimeout,
  defaultStatementTimeout,
  readSettings,
  ServerSettingsSchema,
  SqlSettingsSchema,
  type ServerSettings,
  type SqlSettings,
  type StatementLog
} from './settings.ts'
export { createOpenSockets, type OpenSockets } from './open-sockets.ts'
export type { RawRow, StatementResult } from './run-statement.ts'
export { type Notation, type Sql, sql, type Statement } from './sql.ts'
export { SqlConnector } from './sql-connector.ts'
export type { ColumnKind } from './table/column-kind.ts'
export type { Column, SqlTable } from './table/sql-table.ts'
export { addUndeclared } from './table/undeclared.ts'
export { decodeValue } from './values/decode-value.ts'
export { finite } from './values/finite.ts'
export { escapeStrays } from './where/escape-strays.ts'
export { isFound, jsonSteps, writeStep, type JsonPlace, type JsonStep } from './where/json-steps.ts'
