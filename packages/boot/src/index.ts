export { boot, boot as default } from './plugin.ts'
export { createServer } from './assemble/server/create-server.ts'
export type { ServerOptions } from './assemble/server/make-server.ts'
export { type LoopBackOptions, provideLoopBack } from './assemble/server/provide-loopback.ts'
export { listenOptions, type ListenOptions } from './listen-options.ts'
export { type BootOptions, BootOptionsSchema } from './options.ts'
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
export type { ConnectorFactories, ConnectorFactory } from './read/connectors/connector-factories.ts'
export { connectorName } from './read/connectors/loopback-connectors.ts'
export type { AppFolder } from './read/files/app-folder.ts'
export {
  type AppSettings,
  HookEndedCall,
  MemberNotProvided,
  ModuleNotProvided,
  PrincipalTypeInvalid,
  ReplicationNotProvided,
  type ScriptApp,
  type ScriptDataSource,
  ScriptModel,
  TransactionNotActive,
  UnknownConnector
} from '@modelwire/loopback/api'
export type { MiddlewareEntry } from '@modelwire/loopback/express'
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
  MethodTimeout,
  MiddlewareRemoved,
  NotBooted,
  RemovedSetting,
  ServerOverloaded,
  UnknownComponent,
  UnknownMailTransport,
  UnknownMiddleware
} from './errors.ts'
export { type LoadSheddingOptions, LoadSheddingOptionsSchema } from './shed-load.ts'
export { type ServerTimeoutOptions, ServerTimeoutOptionsSchema } from './server-timeouts.ts'
