export type { AccessControl, AccessQuestion, Grant, KeyedRecords, Purpose } from './access-control.ts'
export type { ActionHooks, RecordAction } from './action-hooks.ts'
export { stateOf, typeOf } from './bare-model.ts'
export type { Call, Options, QueryOptions } from './call.ts'
export type { Change, ChangeBus, ChangeKind, ChangeListener } from './change-bus.ts'
export type {
  Comparison,
  Condition,
  Filter,
  LikeOperator,
  ListOperator,
  Near,
  OneValueOperator,
  Operator,
  OrderClause,
  Pattern,
  RelatedTest
} from './condition.ts'
export type { ConnectionWatcher } from './connection-watcher.ts'
export type { ConnectorMethod, ConnectorMethods, ModelFunction } from './connector-method.ts'
export type {
  Collection,
  Connector,
  ConnectorCapabilities,
  JsonLinks,
  JsonQuery,
  JsonShape,
  KeyPlace,
  OpenTransaction,
  RelatedJson,
  RelatedQuery,
  Transaction
} from './connector.ts'
export type { DataSource } from './data-source.ts'
export type {
  DiscoveredColumn,
  DiscoveredForeignKey,
  DiscoveredPrimaryKey,
  DiscoveredTable,
  Discovery,
  DiscoveryPlace,
  DiscoverOptions
} from './discovery.ts'
export type { MigrateOptions, MigrationPlan, MigrationStep, PlanOptions } from './migration.ts'
export type { ModelConstructor, ModelInstance } from './model-instance.ts'
export type { DeletionGuard, ModelType } from './model-type.ts'
export type { CalledMethod, CallMethod, EndSessions, OfferMethod, Registry } from './registry.ts'
export type {
  IncludeLoader,
  IncludePlanRequest,
  IncludeRequest,
  RelatedFilter,
  RelatedFilterRequest,
  ResolvedFilter
} from './related-records.ts'
export type {
  CopyProperties,
  OnDelete,
  Relations,
  RelationSettings,
  ResolvedRelation,
  Through
} from './resolved-relation.ts'
export type { Restriction, RowTest } from './restriction.ts'
export type { Id, Row } from './row.ts'
