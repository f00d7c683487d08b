// For applications: declaring models, calling them, and the errors that calls throw.
export type { AttemptLimits } from './attempts/attempt-limiter.ts'
export type { CallerId, CallerTypes, Principal } from './caller/principal.ts'
export { ChangeEvent } from './changes/change-event.ts'
export { discoverModels } from './connector/discover-models.ts'
export {
  type DataSourcePlan,
  migrate,
  type MigrationRun,
  type MigrationScope,
  planMigration
} from './connector/migrate-data-sources.ts'
export type { TransactionOptions } from './connector/run-transaction.ts'
export type { Options } from './contract/call.ts'
export type { AccessRule } from './definition/access-rule.ts'
export { DefinitionError } from './definition/errors.ts'
export type { MethodSpec } from './definition/method-table.ts'
export type { ModelDefinition } from './definition/model-definition.ts'
export type { ModelFacts, NewRecord, RelatedFacts } from './definition/model-facts.ts'
export type { PropertyDefinition } from './definition/property-definition.ts'
export type { RelationDefinition, RelationKindName } from './definition/relation-definition.ts'
export type { RowsAnswer, RowsContext, RowsFunction } from './definition/rows-function.ts'
export type { ObjectSchema } from './definition/schema-types.ts'
export {
  ApiError,
  DataSourceUnavailable,
  DuplicateKey,
  InvalidArgument,
  InvalidFilter,
  ModelNotFound,
  NotImplemented,
  RecordNotFound,
  ValidationError
} from './errors.ts'
export type { HookContext, HookName, Observer } from './hooks/hook-table.ts'
export type { QueryLimits } from './limits/query-limits.ts'
export type { Mixin } from './mixins/mixin-table.ts'
export { Model } from './model.ts'
export {
  defineInstanceOperation,
  defineOperation,
  type InstanceOperation,
  type OperationOptions,
  type StaticOperation
} from './operations/define-operation.ts'
export { OperationContext } from './operations/operation-context.ts'
export type { RemoteHook, RemotePhase } from './operations/remote-hooks.ts'
export { type CoreOptions, CoreOptionsSchema, type DataSourceOption } from './options.ts'
export { modelwire as default, type Models, modelwire } from './plugin.ts'
export type { RegistryOptions } from './registry-options.ts'
export { ModelRegistry } from './registry.ts'
export type { ToMany, ToOne } from './typed/accessor-types.ts'
export { defineModel } from './typed/define-model.ts'
export type { FilterInput, Order, Where } from './typed/filter-types.ts'
export type { Instance, InstanceMethods } from './typed/instance-types.ts'
export type { Draft, ModelClass, ModelHookContext, ModelObserver, ModelOf } from './typed/model-class.ts'
export type { ModelsOf, TypedDefinition } from './typed/models-of.ts'
export type {
  BaseModels,
  MixinOptions,
  MixinProperties,
  ModelSettings,
  PackageSettings
} from './typed/settings-types.ts'
export { GeoPoint } from './values/geo-point.ts'
export type { ProtocolVersion } from './rules.ts'
