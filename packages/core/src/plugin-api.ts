// `@modelwire/core/plugin`: for packages that extend Modelwire: operations, guards, relations, the caller, options.
import * as repository from './repository/index.ts'

export { repository }
export { acceptedCall, asServer, callOf, optionsFor, readingWithin, serverCall } from './access/call.ts'
export { principalOf, type TokenFacts } from './access/principal-of.ts'
export { nestedCall, restrictionFor } from './access/restriction-for.ts'
export { AddressRefused, checkPublicUrl, publicLookup, readBounded, type ResolveName } from './addresses/index.ts'
export { allowsAggregate } from './aggregate/aggregate-settings.ts'
export { dateParts } from './aggregate/date-parts.ts'
export { type AnswerHook, answerHook } from './answers/answer-hook.ts'
export { checkHeader, checkStatus, isHeader } from './answers/check-head.ts'
export { InvalidAnswer, RouteNotFound } from './answers/errors.ts'
export { isAnswered } from './answers/is-answered.ts'
export { passOver } from './answers/pass-over.ts'
export { replacedQuery, replaceQuery } from './answers/replaced-query.ts'
export {
  type Attempt,
  type AttemptLimiter,
  type BegunAttempt,
  countAttempt,
  makeAttemptLimiter,
  type TryOut
} from './attempts/attempt-limiter.ts'
export {
  attemptOptions,
  loginAttempt,
  type LoginFacts,
  plainName,
  rateLimitFields,
  sharedRates
} from './attempts/index.ts'
export { networkOf } from './attempts/network-of.ts'
export { Client, decorateCaller, senderOf, setCaller, toCallbackHook, unlessRefused } from './caller/index.ts'
export type { HookFailure, HookWork, Sender } from './caller/index.ts'
export { eventOf } from './changes/change-event.ts'
export type { ChangeFeed } from './changes/change-feed.ts'
export { ChangeStream, openChangeStream } from './changes/change-stream.ts'
export { countStreams, type StreamCount } from './changes/count-streams.ts'
export { ChangeReaderTooSlow, LogPositionUnknown } from './changes/errors.ts'
export { isAbout, keyOfRights, streamRights } from './changes/stream-rights.ts'
export { checkOptions } from './check-options.ts'
export { type ChooseConnector, withConnectors } from './connector/stand-in.ts'
export { type ConnectingClient, whyUnreachable } from './connector/why-unreachable.ts'
export type { AccessControl, AccessQuestion, Grant, KeyedRecords, Purpose } from './contract/access-control.ts'
export type { ActionHooks, RecordAction } from './contract/action-hooks.ts'
export { stateOf, typeOf } from './contract/bare-model.ts'
export type { Call, QueryOptions } from './contract/call.ts'
export type { Change, ChangeBus, ChangeKind, ChangeListener } from './contract/change-bus.ts'
export type { ChangeLog, ConnectorChangeLog, LogEntry } from './contract/change-log.ts'
export type { LoggedChange, LogOrder, LogPlace } from './contract/change-log.ts'
export type { HealthCheck, HealthKind } from './contract/health-check.ts'
export type { ModelConstructor, ModelInstance } from './contract/model-instance.ts'
export type { DeletionGuard, ModelType } from './contract/model-type.ts'
export type { CalledMethod, CallMethod, EndSessions, OfferMethod, Registry } from './contract/registry.ts'
export type { IncludeLoader, IncludePlanRequest, IncludeRequest, RelatedFilter } from './contract/related-records.ts'
export type {
  CopyProperties,
  OnDelete,
  Relations,
  RelationSettings,
  ResolvedRelation,
  Through
} from './contract/resolved-relation.ts'
export type { Restriction, RowTest } from './contract/restriction.ts'
export { AccessRuleSchema, type FieldNames } from './definition/access-rule.ts'
export type { HasDefault } from './definition/default-keyword.ts'
export { definitionWords } from './definition/definition-words.ts'
export {
  DottedPropertyName,
  DuplicateModel,
  InvalidOption,
  InvalidRelation,
  RegistrySealed,
  RelationTargetMissing,
  ReservedModelName,
  UnknownBaseModel,
  UnknownDataSource,
  UnknownMixin,
  UnknownModel,
  UnknownPropertyType
} from './definition/errors.ts'
export type { RelationKindTypes } from './definition/relation-definition.ts'
export { fillDefaults, type WithDefaults } from './definition/fill-defaults.ts'
export type { ResolvedDefinition } from './definition/inherit-definition.ts'
export { isOfRecords, nameOfRecords, shortName } from './definition/method-name.ts'
export {
  AmbiguousDataSource,
  type ApiErrorOptions,
  BadRequest,
  HiddenPropertyInFilter,
  IdMismatch,
  LimitExceeded,
  ListNotValid,
  NameRefused,
  OperatorNotAllowed,
  SeveralMatches,
  type ValidationDetails,
  InvalidCursor
} from './errors.ts'
export { type BoundedCache, createBoundedCache } from './filter/bounded-cache.ts'
export { compareForOrder } from './filter/compare-for-order.ts'
export {
  type QueryCaller,
  isClientQuery,
  compileFilter,
  compileScopeFilter,
  compileOptionalWhere,
  whereOptions,
  withPage
} from './filter/compile-filter.ts'
export { refuseUnseen } from './filter/unseen-path.ts'
export { compileOrder } from './filter/compile-order.ts'
export { bothConditions, mergeFilters } from './filter/default-scope.ts'
export { KeySet, RelatedKeys, RelatedOrder } from './filter/key-set.ts'
export { logicalKeys } from './filter/logical-keys.ts'
export type { PatternOptions } from './filter/match-pattern.ts'
export { type CompiledCondition, compilePredicate } from './filter/match-where.ts'
export { namesRelation, relationOf } from './filter/names-relation.ts'
export { operators, type Operators } from './filter/operators/index.ts'
export type { Operator } from './filter/operators/operator.ts'
export type { PerTest } from './filter/per-test.ts'
export { bothFields, propertiesIn } from './filter/restriction.ts'
export { findNear } from './filter/sort-by-distance.ts'
export type { TopRows } from './filter/top-k.ts'
export { TrustedWhere } from './filter/trusted-where.ts'
export { type FormParsing, registerForms } from './forms/register-forms.ts'
export type { AnswerBounds } from './limits/answer-bounds.ts'
export type { ChangeFeedLimits } from './limits/change-feed-limits.ts'
export { type ListSettings, ListSettingsSchema } from './definition/list-settings.ts'
export { defaultQueryLimits } from './limits/query-limits.ts'
export { mask, maskFields, maskSecrets } from './logging/mask-secrets.ts'
export { protectLog } from './logging/protect-log.ts'
export { builtInMixins } from './mixins/mixin-table.ts'
export { allowOwnId } from './model/allow-own-id.ts'
export { attachModels } from './model/attach-models.ts'
export { dataAccessMethods } from './model/data-access.ts'
export { embeddedModel } from './model/embedded-model.ts'
export { hideWithin } from './model/hide-within.ts'
export { keepPerModel, type KeptPerModel } from './model/keep-per-model.ts'
export {
  type FindBuiltIn,
  isOfModel,
  lineageOf,
  makeFindBuiltIn,
  modelByType,
  modelsExtending
} from './model/model-lineage.ts'
export { answersSecret } from './operations/answers-secret.ts'
export { operationsOf, operationSourcesOf } from './operations/added-operations.ts'
export { compileMethod } from './operations/compile-method.ts'
export { type CompiledOperation, compileOperation } from './operations/compile-operation.ts'
export {
  argument,
  dataArgument,
  describeOperation,
  describePredefined,
  filterArgument,
  callData,
  idArgument,
  type MakeOperation,
  namedReturn,
  type OperationFacts,
  optionsArgument,
  recordReturn,
  rootReturn,
  whereArgument
} from './operations/describe-operation.ts'
export { changesMany, type Effect, type EffectVerb, isReading, relatedIdOf, storesData } from './operations/effect.ts'
export { isShared, matchesMethod, type SharedMethods } from './operations/is-shared.ts'
export { methodNames } from './operations/method-names.ts'
export {
  type Mount,
  type MountedBatch,
  type MountedRoute,
  successStatus,
  takesIdempotencyKey
} from './operations/mount.ts'
export { applyPrecondition, type Precondition, takesPreconditions } from './operations/precondition.ts'
export { listedModel } from './operations/listed-model.ts'
export { versionedBy } from './operations/versioned-by.ts'
export { checkNamedRecord, type NamedRecord, namedRecordOf } from './operations/named-record.ts'
export type { MethodView, OperationInput } from './operations/operation-context.ts'
export {
  type AccessType,
  type Argument,
  type ArgumentSource,
  type CallerCheck,
  type Endpoint,
  type Guard,
  type GuardSource,
  type HttpVerb,
  type LoopbackText,
  methodString,
  type Operation,
  type OperationSource,
  type ReturnValue
} from './operations/operation.ts'
export { inOwnNames } from './operations/own-names.ts'
export {
  type PredefinedMethod,
  predefinedMethods,
  type PredefinedName,
  standingMethod
} from './operations/predefined.ts'
export type { FindSteps, StepMoment } from './operations/remote-hooks.ts'
export {
  admit,
  checkGuards,
  loadInstance,
  needsAdmission,
  needsInstance,
  nothingFound,
  perform
} from './operations/run-operation.ts'
export type { ScriptExchange, ScriptObjects } from './operations/script-objects.ts'
export { buildRegistry, serveRegistry } from './plugin.ts'
export type { DefinitionPlace } from './registry.ts'
export { registryOf } from './registry-of.ts'
export { defineKey, ownKeyFor } from './relations/define-key.ts'
export type { Draft as RelationDraft } from './relations/draft.ts'
export { findModel, findTarget } from './relations/find-target.ts'
export type { RelationKindEntry } from './relations/relation-kinds.ts'
export type { OnMissing, RelationTable } from './relations/relation-table.ts'
export { resolveBelongsTo } from './relations/resolve-belongs-to.ts'
export { resolveChildren } from './relations/resolve-children.ts'
export { makesNoEmbeddedIds, resolveEmbedsMany, resolveEmbedsOne } from './relations/resolve-embedded.ts'
export { resolveReferences } from './relations/resolve-references.ts'
export { typeOfClass } from './relations/find-target.ts'
export { resolveThrough } from './relations/resolve-through.ts'
export { cursorIn } from './repository/cursor.ts'
export { Records } from './repository/records.ts'
export { isBelow } from './request-path/is-below.ts'
export { requestPath, writtenQuery } from './request-path/request-path.ts'
export { originForm, parsedTarget, type RequestPath, splitTarget, writtenPath } from './request-path/split-target.ts'
export { encodeSegment, hasDotSegment, writePath } from './request-path/write-path.ts'
export type { Problem, Rule, RuleContext } from './rules/rule.ts'
export { isBlank, makeCustomRule, makeRule, type RuleOptions } from './rules/rules.ts'
export { answerTimeSetting, clientSetting, readServerSettings } from './server-settings.ts'
export { SharedStateUnavailable } from './shared-state/errors.ts'
export type { SharedFacts, SharedState } from './shared-state/shared-state.ts'
export type { Hits, SharedStore, StoreListener } from './shared-state/shared-store.ts'
export { followChanges } from './caches/follow-changes.ts'
export { useSharedState } from './state-in-data-source/use-shared-state.ts'
export { answeredElsewhere, defaultShutdownTime } from './shutdown/index.ts'
export { isWithoutListening, withoutListening } from './shutdown/without-listening.ts'
export type { Written } from './typed/define-model.ts'
export { isReadOnly, isSetByServer, type PropertyType } from './types/property-type.ts'
export type { ScalarKind, ValueType } from './types/value-type.ts'
export { dropRules, isDropped } from './validation/drop-rules.ts'
export { findProblems, toDetails, validateInstance } from './validation/validate-instance.ts'
export { allInOrder, andThen, type Awaitable } from './values/awaitable.ts'
export { checkStructure, defaultDataDepth, reservedNames, type StructureOptions } from './values/check-structure.ts'
export { clonePlain, isPlainObject, setOwn } from './values/clone-plain.ts'
export { closestName } from './values/closest-name.ts'
export { describe } from './values/describe.ts'
export { MalformedText } from './values/errors.ts'
export { type GeoPointParts, parseGeoPoint } from './values/geo-point.ts'
export { keepPerText, type KeptPerText } from './values/keep-per-text.ts'
export { limitParallel, type RunLimited } from './values/limit-parallel.ts'
export { readPath } from './values/read-path.ts'
export { isSameKey, keyOf, keyText } from './values/same-key.ts'
export { type Coercion, Unusable } from './values/unusable.ts'
export { type Rules, rulesOf } from './rules.ts'
