export { modelwire, modelwire as default, buildRegistry, type Models } from './plugin.ts'
export { checkOptions } from './check-options.ts'
export { CoreOptionsSchema, type CoreOptions, type DataSourceOption } from './options.ts'
export { ModelRegistry } from './registry.ts'
export type { CallMethod, RegistryOptions } from './registry-options.ts'
export { defineModel, type ModelSettings, type ModelsOf, type TypedDefinition } from './definition/define-model.ts'
export { orderDefinitions } from './definition/order-definitions.ts'
export { relationTypes, type RelationDefinition } from './definition/relation-definition.ts'
export type { AccessRule } from './definition/access-rule.ts'
export type { RowsAnswer, RowsContext, RowsFunction } from './definition/rows-function.ts'
export type { ModelDefinition } from './definition/model-definition.ts'
export type { PropertyDefinition } from './definition/property-definition.ts'
export type { ResolvedDefinition } from './definition/inherit-definition.ts'
export { stateOf, typeOf } from './model/bare-model.ts'
export { Model } from './model/model.ts'
export type {
  Draft,
  FilterInput,
  Instance,
  InstanceMethods,
  ModelClass,
  ModelHookContext,
  ModelObserver,
  ModelOf,
  NewRecord,
  Operators,
  Where
} from './model/model-class.ts'
export type { ModelType } from './model/model-type.ts'
export type { PropertyType } from './model/property-type.ts'
export type { ScalarKind, ValueType } from './values/value-type.ts'
export { andThen, type Awaitable } from './values/awaitable.ts'
export { checkStructure, defaultDataDepth, reservedNames, type StructureOptions } from './values/check-structure.ts'
export { clonePlain, isPlainObject, setOwn } from './values/clone-plain.ts'
export { compileCoercion, describe, Unusable, type Coercion } from './values/coerce-value.ts'
export { compileType } from './values/compile-type.ts'
export { GeoPoint, parseGeoPoint, type GeoPointParts } from './values/geo-point.ts'
export {
  allOperations,
  type Collection,
  type Connector,
  type ConnectorCapabilities,
  type Id,
  type KeyPlace,
  type OpenTransaction,
  type JsonQuery,
  type JsonLinks,
  type JsonShape,
  type RelatedJson,
  type RelatedQuery,
  type Row,
  type Transaction
} from './connector/connector.ts'
export type { DataSource } from './connector/data-source.ts'
export {
  discoverModels,
  discoveryOf,
  type DiscoveredColumn,
  type DiscoveredForeignKey,
  type DiscoveredPrimaryKey,
  type DiscoveredTable,
  type Discovery,
  type DiscoveryPlace,
  type DiscoverOptions
} from './connector/discovery.ts'
export type { MigrateOptions, MigrationPlan, MigrationStep, PlanOptions } from './connector/migration.ts'
export {
  migrate,
  planMigration,
  type DataSourcePlan,
  type MigrationRun,
  type MigrationScope
} from './connector/migrate-data-sources.ts'
export { beginTransaction } from './connector/begin-transaction.ts'
export type { TransactionOptions } from './connector/run-transaction.ts'
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
} from './filter/condition.ts'
export { compileFilter, compileOptionalWhere, queryLimitsKey, type QueryOptions } from './filter/compile-filter.ts'
export { embeddedModel } from './model/embedded-model.ts'
export { hideWithin } from './model/hide-within.ts'
export { keepPerModel, type KeptPerModel } from './model/keep-per-model.ts'
export { keepPerText, type KeptPerText } from './values/keep-per-text.ts'
export { compileWhere } from './filter/compile-where.ts'
export { bothConditions, mergeFilters, underScope } from './filter/default-scope.ts'
export { defaultQueryLimits, noQueryLimits, type QueryLimits } from './filter/query-limits.ts'
export { hookNames, HookTable, type HookContext, type HookName, type Observer } from './hooks/hook-table.ts'
export { makeCustomRule, makeRule, isBlank, type RuleOptions } from './validation/rules.ts'
export { findProblems } from './validation/validate-instance.ts'
export { validateInstance, toDetails } from './validation/validate-instance.ts'
export type { Problem, Rule, RuleContext } from './validation/rule.ts'
export type { Change, ChangeBus, ChangeKind, ChangeListener } from './changes/change-bus.ts'
export { ChangeEvent } from './changes/change-event.ts'
export type { ChangeFeed, ChangeFeedLimits } from './changes/change-feed.ts'
export { ChangeStream, openChangeStream } from './changes/change-stream.ts'
export type {
  AccessType,
  Argument,
  ArgumentSource,
  CallerCheck,
  Endpoint,
  Guard,
  GuardSource,
  HttpVerb,
  Operation,
  OperationSource,
  Principal,
  RelatedBy,
  ReturnValue
} from './operations/operation.ts'
export type { Mount, MountedRoute } from './operations/mount.ts'
export { methodString } from './operations/operation.ts'
export { type CallOrigin, currentCaller, originKey, originOf } from './operations/caller.ts'
export {
  argument,
  dataArgument,
  describeOperation,
  filterArgument,
  givenData,
  idArgument,
  namedReturn,
  optionsArgument,
  recordReturn,
  rootReturn,
  whereArgument,
  type MakeOperation,
  type OperationFacts
} from './operations/describe-operation.ts'
export { OperationContext, type MethodView, type OperationInput } from './operations/operation-context.ts'
export { compileMethod, type MethodSpec } from './operations/compile-method.ts'
export { isShared, MethodTable, type SharedMethods } from './operations/method-table.ts'
export { RemoteHooks, type RemoteHook, type RemotePhase } from './operations/remote-hooks.ts'
export {
  checkGuards,
  compileOperation,
  loadInstance,
  needsGuards,
  needsInstance,
  nothingFound,
  perform,
  runOperation,
  type CompiledOperation
} from './operations/run-operation.ts'
export { createBoundedCache, type BoundedCache } from './filter/bounded-cache.ts'
export type {
  IncludeLoader,
  IncludePlanRequest,
  IncludeRequest,
  RelatedFilter,
  RelatedFilterRequest,
  ResolvedFilter
} from './seams.ts'
export { logicalKeys } from './filter/logical-keys.ts'
export { KeySet, RelatedKeys, RelatedOrder } from './filter/key-set.ts'
export { TrustedWhere } from './filter/trusted-where.ts'
export { relationOf } from './filter/names-relation.ts'
export { readPath } from './filter/read-path.ts'
export * as repository from './repository/index.ts'
export { Found, FoundText } from './repository/found.ts'
export type { DeletionGuard } from './repository/delete-guarded.ts'
export { versionRules, type ProtocolVersion, type VersionRules } from './version.ts'
export * from './errors.ts'
export * from './changes/errors.ts'
export {
  compileCondition,
  compilePredicate,
  createPredicateShapes,
  type CompiledCondition,
  type Predicate,
  type PredicateShapes,
  type ScanRows,
  type TakeRow
} from './filter/match-where.ts'
export { compareForOrder } from './filter/compare-for-order.ts'
export { compileOrder, createOrderShapes, type OrderShapes, type RowComparator } from './filter/compile-order.ts'
export { findNear, sortByDistance, type NearTest } from './filter/sort-by-distance.ts'
export { collectTop, topK, type TopRows } from './filter/top-k.ts'
export { distanceMetres, earthRadius } from './filter/distance.ts'
export { likePattern, regexpPattern, type PatternOptions } from './filter/match-pattern.ts'
export { builtInMixins, type Mixin } from './mixins/mixin-table.ts'
export {
  defineInstanceOperation,
  defineOperation,
  type InstanceOperation,
  type OperationOptions,
  type StaticOperation
} from './operations/define-operation.ts'
