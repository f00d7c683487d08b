// `@modelwire/core/connector`: for connectors: the interfaces that they implement, and conditions, values and errors to
// answer with.

export { createAggregation, cutResult } from './aggregate/aggregate-rows.ts'
export { replicaReads } from './caller/replica-reads.ts'
export {
  abortedBy,
  isFatal,
  beginTransaction,
  isolationLevels,
  readIsolation,
  tryAgain
} from './connector/run-transaction.ts'
export { allOperations, noRecords, checkMapping, keepCompiled } from './connector/collections.ts'
export { discoveryOf } from './connector/data-sources.ts'
export {
  AccessRefused,
  AnswerTooLarge,
  ConnectionTimeout,
  ConstraintViolated,
  DatabaseFailed,
  DatabaseFull,
  IsolationUnknown,
  LockOutsideTransaction,
  MigrationFailed,
  MigrationLocked,
  MigrationPlanChanged,
  NumberNotRepresentable,
  PrivilegeMissing,
  StatementCancelled,
  StatementTimeout,
  TransactionConflict,
  TransactionOver,
  ValueRefused
} from './connector/errors.ts'
export {
  BusyConnection,
  type CancelPolicy,
  cancelPolicy,
  throwIfLeft,
  untilLeft,
  whenAborted
} from './connector/leaving-callers.ts'
export { isFullPart, nextPart, partsWithin, stopAfter } from './connector/parts-within.ts'
export { readSettings } from './connector/connection.ts'
export { wideTexts } from './connector/wide-texts.ts'
export { checkRowCount, countWithin, limitWithin } from './connector/within-bounds.ts'
export type { AggregateQuery, DatePart, MeasureColumn } from './contract/aggregate.ts'
export type { Change, ConnectorChangeLog, LogEntry, LogOrder } from './contract/change-log.ts'
export type {
  Bound,
  Comparison,
  Near,
  Pattern,
  TestKind,
  TestOf,
  Condition,
  Filter,
  OrderClause,
  RelatedCount
} from './contract/condition.ts'
export type {
  DataSource,
  ConnectorActivity,
  PoolState,
  StatementListener,
  ConnectorMethods
} from './contract/data-source.ts'
export type {
  Collection,
  Connector,
  ConnectorCapabilities,
  DatabaseFact,
  KeyPlace,
  OpenTransaction,
  RelatedQuery,
  Transaction
} from './contract/connector.ts'
export type {
  DiscoveredColumn,
  DiscoveredForeignKey,
  DiscoveredPrimaryKey,
  DiscoveredTable,
  DiscoverOptions,
  Discovery
} from './contract/discovery.ts'
export type {
  MigrateOptions,
  MigrationPlan,
  MigrationStep,
  PlanOptions,
  Rename,
  MigrationHistory,
  MigrationTask,
  RecordedMigration,
  TaskOptions
} from './contract/migration.ts'
export type { ModelType } from './contract/model-type.ts'
export { isAccessModel } from './model/model-lineage.ts'
export type { Id, Row } from './contract/row.ts'
export { canBeNamed } from './definition/check-definition.ts'
export { InvalidDefinition } from './definition/errors.ts'
export { indexKeys } from './definition/list-settings.ts'
export { isUniqueIndex, type UniqueIndex, uniqueIndexesOf, uniqueKeysOf } from './model/unique-indexes.ts'
export { isOfRecords, nameOfRecords, shortName } from './definition/method-table.ts'
export { InvalidPattern, InvalidValue, KeyIncomplete, LogPositionUnknown, type TakenKey } from './errors.ts'
export {
  compareForOrder,
  compileOrder,
  createShapes,
  type RowComparator,
  findNear,
  sortByDistance
} from './filter/order.ts'
export { compileOptionalWhere } from './filter/compile-filter.ts'
export { isInclusive, perTest } from './filter/test-value.ts'
export { likeText, readLikeTokens } from './operators/match-like.ts'
export { plainText, regexpPattern, wildcardPattern } from './operators/match-pattern.ts'
export { type CompiledCondition, compileCondition, type TakeRow } from './filter/match-where.ts'
export type { AnswerBounds } from './limits/limits.ts'
export { type ModelCheck, passesCheck } from './rules/model-checks.ts'
export type { PropertyType, ValueType } from './types/property-type.ts'
export { plainDecimal } from './values/decimal.ts'
export { readDate } from './values/read-date.ts'
export { earthRadius } from './values/geo-point.ts'
export { countDigits, isRoundedNumber } from './values/exact-number.ts'
export { hasKey, hasOneOfKeys, isComposite, keyTextOf } from './model/composite-key.ts'
export { isSameKey, keyText } from './values/same-key.ts'
export { checkViolated } from './validation/validate-instance.ts'
