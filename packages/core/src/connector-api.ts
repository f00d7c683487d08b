// `@modelwire/core/connector`: for connectors: the interfaces that they implement, and conditions, values and errors to
// answer with.
import * as repository from './repository/index.ts'

export { repository }
export { serverCall } from './access/call.ts'
export { type Aggregation, createAggregation, cutResult } from './aggregate/aggregate-rows.ts'
export { type ReplicaReads, replicaReads } from './caller/replica-reads.ts'
export { LogPositionUnknown } from './changes/errors.ts'
export { abortedBy, isFatal } from './connector/aborted-by.ts'
export { allOperations } from './connector/all-operations.ts'
export { beginTransaction } from './connector/begin-transaction.ts'
export { checkMapping } from './connector/check-mapping.ts'
export { discoveryOf } from './connector/discover-models.ts'
export {
  AnswerTooLarge,
  ConnectionTimeout,
  ConstraintViolated,
  DatabaseFailed,
  DatabaseFull,
  IsolationUnknown,
  MigrationFailed,
  MigrationLocked,
  MigrationPlanChanged,
  NumberNotRepresentable,
  PrivilegeMissing,
  StatementCancelled,
  StatementTimeout,
  TransactionAborted,
  TransactionConflict,
  TransactionOver,
  TransactionTimeout,
  ValueRefused
} from './connector/errors.ts'
export { type Isolation, isolationLevels, readIsolation } from './connector/isolation.ts'
export { keepCompiled } from './connector/keep-compiled.ts'
export {
  BusyConnection,
  type CancelMethods,
  type CancelPolicy,
  cancelPolicy,
  throwIfLeft,
  untilLeft,
  whenAborted
} from './connector/leaving-callers.ts'
export { noDataAccess, noRecords } from './connector/no-records.ts'
export { readSettings } from './connector/read-settings.ts'
export { tryAgain } from './connector/try-again.ts'
export { checkRowCount, type CountRow, countWithin, limitWithin } from './connector/within-bounds.ts'
export type {
  AggregateFunction,
  AggregateQuery,
  DatePart,
  GroupColumn,
  MeasureColumn,
  ResultColumn,
  ResultOrder
} from './contract/aggregate.ts'
export type { Change } from './contract/change-bus.ts'
export type { ConnectorChangeLog, LogEntry, LogOrder, LogPlace } from './contract/change-log.ts'
export type {
  Anchor,
  Bound,
  Comparison,
  LikeToken,
  Near,
  Pattern,
  TestKind,
  TestOf,
  Tests,
  Wildcards
} from './contract/comparison.ts'
export type { Condition, Filter, OrderClause, RelatedTest } from './contract/condition.ts'
export type { ConnectionWatcher } from './contract/connection-watcher.ts'
export type { ConnectorActivity, PoolState, StatementListener, StatementReport } from './contract/connector-activity.ts'
export type { ConnectorMethod, ConnectorMethods, ModelFunction } from './contract/connector-method.ts'
export type {
  Collection,
  Connector,
  ConnectorCapabilities,
  KeyPlace,
  OpenTransaction,
  RelatedQuery,
  Transaction
} from './contract/connector.ts'
export type { DataSource } from './contract/data-source.ts'
export type {
  DiscoveredColumn,
  DiscoveredForeignKey,
  DiscoveredPrimaryKey,
  DiscoveredTable,
  DiscoverOptions,
  Discovery,
  DiscoveryPlace
} from './contract/discovery.ts'
export type {
  MigrateOptions,
  MigrationPlan,
  MigrationStep,
  PlanOptions,
  Rename,
  WayBack
} from './contract/migration.ts'
export type {
  MigrationAction,
  MigrationHistory,
  MigrationState,
  MigrationTask,
  MigrationTools,
  RecordedMigration,
  TaskOptions
} from './contract/migration-history.ts'
export type { ModelType } from './contract/model-type.ts'
export { isAccessModel } from './model/is-access-model.ts'
export type { Id, Row } from './contract/row.ts'
export { InvalidDefinition, InvalidOption } from './definition/errors.ts'
export { fillDefaults, type WithDefaults } from './definition/fill-defaults.ts'
export { indexKeys } from './definition/index-keys.ts'
export { isOfRecords, nameOfRecords, shortName } from './definition/method-name.ts'
export { InvalidPattern, InvalidValue } from './errors.ts'
export { compareForOrder } from './filter/compare-for-order.ts'
export { compileOptionalWhere } from './filter/compile-filter.ts'
export { compileOrder, createOrderShapes, type OrderShapes, type RowComparator } from './filter/compile-order.ts'
export { isInclusive } from './filter/is-inclusive.ts'
export { likeText } from './filter/like-text.ts'
export { readLikeTokens } from './filter/like-tokens.ts'
export { plainText, regexpPattern, wildcardPattern } from './filter/match-pattern.ts'
export {
  compileCondition,
  compilePredicate,
  createPredicateShapes,
  type Predicate,
  type PredicateShapes,
  type ScanRows,
  type TakeRow
} from './filter/match-where.ts'
export type { OperatorName } from './filter/operators/index.ts'
export { perTest } from './filter/per-test.ts'
export { findNear, type NearTest, sortByDistance } from './filter/sort-by-distance.ts'
export { collectTop } from './filter/top-k.ts'
export type { AnswerBounds } from './limits/answer-bounds.ts'
export { maskSecrets } from './logging/mask-secrets.ts'
export { isSecretField } from './logging/secret-names.ts'
export { Records } from './repository/records.ts'
export type { PropertyType } from './types/property-type.ts'
export type { ValueType } from './types/value-type.ts'
export { andThen, type Awaitable } from './values/awaitable.ts'
export { clonePlain, isPlainObject, setOwn } from './values/clone-plain.ts'
export { plainDecimal } from './values/decimal.ts'
export { earthRadius } from './values/distance.ts'
export { countDigits, isDecimalText, isRoundedNumber } from './values/exact-number.ts'
export { isSameKey, keyText } from './values/same-key.ts'
