// `@modelwire/loopback/api`: what `@modelwire/boot` makes applications of, whose scripts find LoopBack's API in them.
export { addRoleMethods } from './access/role-methods.ts'
export { addRuleMethods } from './access/rule-methods.ts'
export { decidesItself } from './access/script-authorization.ts'
export { callScript } from './access/script-question.ts'
export { addTokenMethods, ownTokenSearch } from './access/token-methods.ts'
export { configuredTokenModel, tokenModel, tokenOptions } from './access/token-options.ts'
export { acceptCallback, callBridged, isPromiseLike } from './callback-bridge.ts'
export {
  HookEndedCall,
  MemberNotProvided,
  ModuleNotProvided,
  PrincipalTypeInvalid,
  ReplicationNotProvided,
  TransactionNotActive,
  UnknownConnector
} from './errors.ts'
export { type AppServer, createScriptApp, type ScriptApp } from './members/application/script-app.ts'
export { type AppSettings, createSettings } from './members/application/app-settings.ts'
export { type ContextStore, createContextStore } from './members/application/current-context.ts'
export { listenArguments, type WantedAddress } from './members/application/listen-arguments.ts'
export { missingMembers } from './members/application/missing-members.ts'
export { drive, moduleFactory } from './members/data-source/connector-tokens.ts'
export { standsForDriver } from './members/data-source/script-connector.ts'
export type { ScriptDataSource } from './members/data-source/script-data-source.ts'
export { joiningTransaction } from './members/data-source/script-transaction.ts'
export { absentModels, refuseReplication } from './members/definition/built-in-models.ts'
export {
  configuredDefinition,
  configureRules,
  fixedOptions,
  type ModelEntry,
  ModelEntrySchema
} from './members/definition/configured-definition.ts'
export {
  addToApplication,
  attachScriptModel,
  declareMethod,
  setUpModel
} from './members/definition/define-script-model.ts'
export { addSending, defineEmail, emailModel } from './members/definition/email-model.ts'
export { defineFreely, droppedKeysOf, flatDefinition, freeKeysOf, settingsOf } from './members/definition/free-keys.ts'
export { emitModelEvents, eventsOf } from './members/definition/model-events.ts'
export { classify, findByName } from './members/definition/model-list.ts'
export { provideMixins } from './members/definition/named-mixins.ts'
export { isNonEmpty, namesIn } from './members/definition/read-definition.ts'
export { createCallMethod } from './members/model/call-method.ts'
export { warnOfLateMethods } from './members/model/model-members.ts'
export { oldHooks } from './members/model/old-hooks.ts'
export { addRelationMethods } from './members/model/relation-methods.ts'
export { createScriptModel, ScriptModel } from './members/model/script-model.ts'
export { declareMarkedMethods } from './members/remoting/shared-method.ts'
export { jugglerModules } from './modules/juggler-module.ts'
export { loopbackModules } from './modules/loopback-modules.ts'
