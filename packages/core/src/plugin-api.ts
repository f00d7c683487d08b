// `@modelwire/core/plugin`: for packages that extend Modelwire: operations, guards, relations, the caller, options.
import * as repository from './repository/index.ts'

export { repository }
export { idInPath } from './repository/records/identify.ts'

export {
  acceptedCall,
  asServer,
  callOf,
  optionsFor,
  readingWithin,
  serverCall,
  principalOf,
  nestedCall,
  restrictionFor
} from './access/call.ts'
export { dateParts } from './aggregate/date-parts.ts'
export { Client } from './caller/caller.ts'
export { decorateCaller, setCaller } from './caller/request-caller.ts'
export { eventOf } from './changes/change-event.ts'
export { ChangeStream, openChangeStream, countStreams } from './changes/change-stream.ts'
export { isAbout, keyOfRights, streamRights } from './changes/stream-rights.ts'
export { withConnectors } from './connector/data-sources.ts'
export type { AccessControl, AccessQuestion, KeyedRecords, Restriction, RowTest } from './contract/access-control.ts'
export { stateOf, typeOf } from './contract/model-instance.ts'
export type { Call } from './contract/call.ts'
export type { ChangeLog, LoggedChange, LogPlace } from './contract/change-log.ts'
export type { Registry } from './contract/registry.ts'
export type { ResolvedRelation } from './contract/relation.ts'
export { AccessRuleSchema, type FieldNames } from './definition/access-rule.ts'
export { definitionWords } from './definition/check-definition.ts'
export {
  InvalidRelation,
  RegistrySealed,
  RelationTargetMissing,
  UnknownDataSource,
  UnknownMixin,
  UnknownModel
} from './definition/errors.ts'
export { BadRequest, ChangeReaderTooSlow, LimitExceeded, MalformedText, NameRefused, InvalidCursor } from './errors.ts'
export { createBoundedCache, keepPerText } from './values/caches.ts'
export { isClientQuery, compileFilter, compileScopeFilter, whereOptions, withPage } from './filter/compile-filter.ts'
export { refuseUnseen } from './filter/unseen-path.ts'
export { sharesLinksWith } from './relations/resolve-through.ts'
export { missingIn } from './filter/missing-values.ts'
export { bothConditions, mergeFilters } from './filter/default-scope.ts'
export {
  KeySet,
  RelatedKeys,
  RelatedOrder,
  logicalKeys,
  belowRelation,
  namesRelation,
  relationOf
} from './filter/related-conditions.ts'
export { operators } from './operators/index.ts'
export {
  countComparisons,
  readRelationTests,
  relationOperators,
  type RelationTest,
  whereOfRelated
} from './filter/relation-operators.ts'
export type { Operator } from './operators/operator.ts'
export { bothFields, propertiesIn } from './filter/restriction.ts'
export { TrustedWhere } from './filter/trusted-where.ts'
export { ListSettingsSchema } from './definition/list-settings.ts'
export { defaultQueryLimits } from './limits/limits.ts'
export { builtInMixins } from './mixins/mixin-table.ts'
export { allowOwnId } from './model/build-instance.ts'
export { attachModels } from './model/attach-model.ts'
export { dataAccessMethods } from './model/bring-methods.ts'
export { embeddedModel, hideWithin } from './model/embedded-model.ts'
export { keepPerModel, isOfModel, lineageOf, modelByType, modelsExtending } from './model/model-lineage.ts'
export { changesMany, identifiedModel, isReading, relatedIdOf, storesData, listedModel } from './operations/effect.ts'
export { operationsOf, type Argument, type Guard, methodString, type Operation } from './operations/operation.ts'
export { compileMethod } from './operations/compile-method.ts'
export { type CompiledOperation, compileOperation } from './operations/compile-operation.ts'
export { argument, describeOperation, callData, callArguments, callReturns } from './operations/describe-operation.ts'
export type { RelationKindTypes } from './definition/relation-definition.ts'
export { isShared, matchesMethod, type SharedMethods } from './operations/is-shared.ts'
export { methodNames, predefinedMethods, inOwnNames } from './operations/predefined.ts'
export type { Mount, MountedRoute } from './operations/mount.ts'
export { applyPrecondition, takesPreconditions, versionedBy } from './operations/precondition.ts'
export { checkNamedRecord, namedRecordOf } from './operations/named-record.ts'
export type { ScriptExchange } from './operations/operation-context.ts'
export { serveRegistry } from './serve-registry.ts'
export { registryOf } from './registry.ts'
export { findModel, typeOfClass } from './relations/draft.ts'
export { loopbackKinds, type RelationKindEntry } from './relations/relation-table.ts'

export { makesNoEmbeddedIds } from './relations/resolve-embedded.ts'
export { cursorIn } from './repository/read/page.ts'
export { PartedRecords } from './repository/records/parted-records.ts'
export { Records } from './repository/records/records.ts'
export type { Problem, Rule } from './rules/rule.ts'
export { isBlank, makeCustomRule, makeRule } from './rules/rules.ts'
export { followChanges } from './caches/follow-changes.ts'
export { useSharedState } from './state-in-data-source/data-source-store.ts'
export type { Written } from './typed/define-model.ts'
export { isAlwaysThere, isReadOnly } from './types/property-type.ts'
export { dropRules, isDropped, findProblems, toDetails, validateInstance } from './validation/validate-instance.ts'
export { checkStructure, defaultDataDepth, reservedNames } from './values/check-structure.ts'
export { closestName, describe } from './values/describe.ts'
export { parseGeoPoint } from './values/geo-point.ts'
export { readPath } from './values/read-path.ts'
export { keyOf } from './values/same-key.ts'
export { Unusable } from './values/unusable.ts'
export { rulesOf } from './rules.ts'
export { callSteps } from './operations/run-operation.ts'
