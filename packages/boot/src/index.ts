export { boot, boot as default } from './plugin.ts'
export { createServer } from './create-server.ts'
export type { ServerOptions } from './make-server.ts'
export { type LoopBackOptions, provideLoopBack } from './provide-loopback.ts'
export { listenOptions, type ListenOptions } from './listen-options.ts'
export { BootOptionsSchema, type BootOptions } from './options.ts'
export type { BootContext, BootExtension, Component, Components, ComponentSteps } from './extension.ts'
export {
  type AddNote,
  type BootReport,
  type Effect,
  formatNote,
  formatReport,
  type Note,
  type NoteDetails,
  type NoteLevel,
  type Served
} from './boot-report.ts'
export type { ConnectorFactories, ConnectorFactory } from './connectors/connector-factories.ts'
export { connectorName } from './connectors/connector-name.ts'
export type { AppFolder } from './app-folder.ts'
export type { AppSettings } from './config/app-settings.ts'
export type { MiddlewareEntry } from '@modelwire/loopback-express'
export type { ScriptApp } from './scripts/app/script-app.ts'
export { ScriptModel } from './scripts/model/script-model.ts'
export type { ScriptDataSource } from './scripts/data-source/script-data-source.ts'
export {
  AppFolderInvalid,
  BaseModelCycle,
  ConfigFileInvalid,
  ConfigMergeConflict,
  ConfigValueInvalid,
  ConfigVariableUnset,
  ConnectorMissing,
  ConnectorNotInstalled,
  type FilePlace,
  HookEndedCall,
  MemberNotProvided,
  MethodTimeout,
  MiddlewareRemoved,
  ModuleNotProvided,
  NotBooted,
  PrincipalTypeInvalid,
  RemovedSetting,
  ReplicationNotProvided,
  ServerOverloaded,
  TransactionNotActive,
  UnknownComponent,
  UnknownConnector,
  UnknownMailTransport,
  UnknownMiddleware
} from './errors.ts'
export { examineApplication, type Examination } from './examine/examine-application.ts'
export type { Finding } from './examine/finding.ts'
export { type LoadSheddingOptions, LoadSheddingOptionsSchema } from './shed-load.ts'
export { type ServerTimeoutOptions, ServerTimeoutOptionsSchema } from './server-timeouts.ts'
