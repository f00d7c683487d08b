export type {
  AcceptCallback,
  Callback,
  CallScript,
  LoginHandler,
  LoginRequest,
  LoginResponse,
  PassportApp,
  PassportHost,
  PassportModule,
  ScriptFunction,
  ScriptModel,
  ScriptRecord
} from './application.ts'
export { type Configurator, type ConfiguratorClass, configuratorClass } from './configurator/configurator.ts'
export { addMethods } from './models/add-methods.ts'
export { passportDefinitions } from './models/definitions.ts'
export { generateKey } from './models/generate-key.ts'
export { type ProviderOptions, ProviderOptionsSchema } from './provider-options.ts'
export {
  LinkWithoutUser,
  PassportMissing,
  PassportModelsMissing,
  PassportStrategyMissing,
  ProfileEmailMissing,
  ProfileIdMissing
} from './errors.ts'
