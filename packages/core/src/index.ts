// For applications: declaring models, calling them, and the errors that calls throw.
export { DefinitionError, ApiError } from '@modelwire/server'
export type { CallerId, CallerTypes, Principal } from './caller/caller.ts'
export { ChangeEvent } from './changes/change-event.ts'
export { discoverModels } from './connector/data-sources.ts'
export { type DataSourcePlan, migrate, planMigration } from './connector/migrate-data-sources.ts'
export type { Options } from './contract/call.ts'
export type { AccessRule, RowsFunction } from './definition/access-rule.ts'
export type { MethodSpec } from './definition/method-table.ts'
export type { ModelDefinition } from './definition/model-definition.ts'
export type { ModelFacts, NewRecord, RelatedFacts } from './definition/model-facts.ts'
export type { PropertyDefinition } from './definition/property-definition.ts'
export type { RelationDefinition, RelationKindName } from './definition/relation-definition.ts'
export type { ObjectSchema } from './definition/schema-types.ts'
export {
  DataSourceUnavailable,
  DuplicateKey,
  InvalidArgument,
  InvalidFilter,
  ModelNotFound,
  NotImplemented,
  RecordNotFound,
  ValidationError
} from './errors.ts'
export type { HookContext, Observer } from './hooks/hook-table.ts'
export type { Mixin } from './mixins/mixin-table.ts'
export { Model } from './model.ts'
export { defineInstanceOperation, defineOperation } from './operations/define-operation.ts'
export { OperationContext } from './operations/operation-context.ts'
export type { RemoteHook, RemotePhase } from './operations/remote-hooks.ts'
export { type CoreOptions, CoreOptionsSchema } from './options.ts'
export { modelwire as default, modelwire } from './plugin.ts'
export type { Models } from './serve-registry.ts'
export { ModelRegistry } from './registry.ts'
export type { ToMany, ToOne, Instance, InstanceMethods } from './typed/instance-types.ts'
export { defineModel } from './typed/define-model.ts'
export type { FilterInput, Where } from './typed/filter-types.ts'
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
