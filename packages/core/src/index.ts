export { modelwire, modelwire as default, buildRegistry, type Models, serveRegistry } from './plugin.ts'
export * from './answers/index.ts'
export * from './attempts/index.ts'
export * from './forms/index.ts'
export * from './limits/index.ts'
export * from './logging/index.ts'
export { checkOptions } from './check-options.ts'
export { CoreOptionsSchema, type CoreOptions, type DataSourceOption } from './options.ts'
export { ModelRegistry } from './registry.ts'
export { registryOf } from './registry-of.ts'
export { answeredElsewhere } from './shutdown/connections.ts'
export { defaultShutdownTime } from './shutdown/end-gracefully.ts'
export type { RegistryOptions } from './registry-options.ts'
export { definitionWords } from './definition/definition-words.ts'
export { defineModel, type Written } from './typed/define-model.ts'
export type { HasDefault } from './definition/default-keyword.ts'
export type { ModelsOf, TypedDefinition } from './typed/models-of.ts'
export type { ObjectSchema } from './definition/schema-types.ts'
export type {
  BaseModels,
  MixinOptions,
  MixinProperties,
  ModelSettings,
  PackageSettings
} from './typed/settings-types.ts'
export { orderDefinitions } from './model/order-definitions.ts'
export { type RelationDefinition, type RelationKindName, relationTypes } from './definition/relation-definition.ts'
export { type AccessRule, AccessRuleSchema, type FieldNames } from './definition/access-rule.ts'
export type { RowsAnswer, RowsContext, RowsFunction } from './definition/rows-function.ts'
export type { ModelDefinition } from './definition/model-definition.ts'
export type { PropertyDefinition } from './definition/property-definition.ts'
export type { ResolvedDefinition } from './definition/inherit-definition.ts'
export { Model } from './model.ts'
export { dataAccessMethods } from './model/data-access.ts'
export type { ToMany, ToOne } from './typed/accessor-types.ts'
export type { FilterInput, Operators, Order, Where } from './typed/filter-types.ts'
export type { Instance, InstanceMethods } from './typed/instance-types.ts'
export type { ModelFacts, NewRecord, RelatedFacts } from './definition/model-facts.ts'
export type { Draft, ModelClass, ModelHookContext, ModelObserver, ModelOf } from './typed/model-class.ts'
export { makesNoEmbeddedIds } from './relations/resolve-embedded.ts'
export { findModel } from './relations/find-target.ts'
export type { OnMissing, RelationTable } from './relations/relation-table.ts'
export { allOperations } from './connector/all-operations.ts'
export * from './connector/index.ts'
export {
  migrate,
  planMigration,
  type DataSourcePlan,
  type MigrationRun,
  type MigrationScope
} from './connector/migrate-data-sources.ts'
export { type Asker, asksAsClient, compileFilter, compileOptionalWhere, withPage } from './filter/compile-filter.ts'
export { embeddedModel } from './model/embedded-model.ts'
export { hideWithin } from './model/hide-within.ts'
export { attachModels, onlyDataSource } from './model/attach-models.ts'
export { keepPerModel, type KeptPerModel } from './model/keep-per-model.ts'
export { compileWhere } from './filter/compile-where.ts'
export { bothConditions, mergeFilters, underScope } from './filter/default-scope.ts'
export { hookNames, HookTable, type HookContext, type HookName, type Observer } from './hooks/hook-table.ts'
export * from './validation/index.ts'
export { ChangeEvent } from './changes/change-event.ts'
export type { ChangeFeed } from './changes/change-feed.ts'
export { ChangeStream, openChangeStream } from './changes/change-stream.ts'
export { keyOfRights, streamRights } from './changes/stream-rights.ts'
export {
  type FindBuiltIn,
  isOfModel,
  lineageOf,
  makeFindBuiltIn,
  modelByType,
  modelsExtending
} from './model/model-lineage.ts'
export type {
  AccessType,
  Argument,
  ArgumentSource,
  CallerCheck,
  Endpoint,
  Guard,
  GuardSource,
  HttpVerb,
  LoopbackText,
  Operation,
  OperationSource,
  ReturnValue
} from './operations/operation.ts'
export type { ScriptExchange, ScriptObjects } from './operations/script-objects.ts'
export type { Mount, MountedRoute } from './operations/mount.ts'
export { type Effect, type EffectVerb, isReading, relatedIdOf, storesData } from './operations/effect.ts'
export { isOfRecords, nameOfRecords, namesOf, shortName } from './definition/method-name.ts'
export { methodNames } from './operations/method-names.ts'
export { methodString } from './operations/operation.ts'
export {
  type PredefinedMethod,
  type PredefinedName,
  predefinedMethods,
  standingMethod
} from './operations/predefined.ts'
export { bothFields, checkReadable, conditionWithin, filterWithin } from './filter/restriction.ts'
export {
  argument,
  dataArgument,
  describeOperation,
  describePredefined,
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
export { checkNamedRecord, namedRecordOf, type NamedRecord } from './operations/named-record.ts'
export { OperationContext, type MethodView, type OperationInput } from './operations/operation-context.ts'
export { compileMethod } from './operations/compile-method.ts'
export type { MethodSpec } from './definition/method-table.ts'
export { inOwnNames } from './operations/own-names.ts'
export { isShared, matchesMethod, type SharedMethods } from './operations/is-shared.ts'
export { MethodTable } from './definition/method-table.ts'
export {
  RemoteHooks,
  type FindSteps,
  type RemoteHook,
  type RemotePhase,
  type StepMoment
} from './operations/remote-hooks.ts'
export { operationsOf, operationSourcesOf } from './operations/added-operations.ts'
export { compileOperation, type CompiledOperation } from './operations/compile-operation.ts'
export {
  admit,
  checkGuards,
  loadInstance,
  needsAdmission,
  needsInstance,
  nothingFound,
  perform,
  runOperation
} from './operations/run-operation.ts'
export { createBoundedCache, type BoundedCache } from './filter/bounded-cache.ts'
export { logicalKeys } from './filter/logical-keys.ts'
export { KeySet, RelatedKeys, RelatedOrder } from './filter/key-set.ts'
export { TrustedWhere } from './filter/trusted-where.ts'
export { relationOf } from './filter/names-relation.ts'
export { readPath } from './values/read-path.ts'
export * as repository from './repository/index.ts'
export { Records, RecordsJson } from './repository/records.ts'
export { versionRules, type ProtocolVersion, type VersionRules } from './version.ts'
export * from './access/index.ts'
export * from './caller/index.ts'
export * from './contract/index.ts'
export * from './rules/index.ts'
export * from './types/index.ts'
export * from './request-path/index.ts'
export * from './definition/errors.ts'
export * from './errors.ts'
export * from './changes/errors.ts'
export * from './values/index.ts'
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
export { distanceMetres, earthRadius } from './values/distance.ts'
export { likePattern, literalLike, regexpPattern, type PatternOptions } from './filter/match-pattern.ts'
export { builtInMixins, type Mixin } from './mixins/mixin-table.ts'
export {
  defineInstanceOperation,
  defineOperation,
  type InstanceOperation,
  type OperationOptions,
  type StaticOperation
} from './operations/define-operation.ts'
