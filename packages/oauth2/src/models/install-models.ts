import type { ModelRegistry } from '@modelwire/core'
import { needsKeys } from '../keys/make-key-ring.ts'
import type { OAuth2Options } from '../options.ts'
import { oauth2Models, type UserIdType } from './definitions.ts'
import { modelByType } from './model-by-type.ts'
import { type ModelNames, modelNames } from './model-names.ts'

/** How ids of users are stored beside tokens: as the user model has them. */
function userIdType(registry: ModelRegistry, name: string | undefined): UserIdType {
  const model = name === undefined ? undefined : registry.find(name)
  if (model === undefined) return 'string'
  const { type, generated } = model.idProperty ?? {}
  const isNumber = type?.kind === 'number' || type?.kind === 'integer'
  const makesNumbers = generated === true && model.dataSource?.connector.capabilities.generatedIdType === 'number'
  return isNumber || (type?.kind === 'any' && makesNumbers) ? 'number' : 'string'
}

const dataSourceName = (given: OAuth2Options['dataSource']): string | undefined =>
  typeof given === 'object' ? given.name : given

/** Defines the models that the application does not define itself, gives those without a data source one, and names them. */
export function installModels(registry: ModelRegistry, options: OAuth2Options): ModelNames {
  const users = options.userModel ?? modelByType(registry, 'User')
  const [only, ...others] = registry.dataSources.keys()
  const wanted = dataSourceName(options.dataSource) ?? (others.length === 0 ? only : undefined)
  const givesIdTokens = options.issuer !== undefined && needsKeys(options)
  for (const definition of oauth2Models(users, userIdType(registry, users), givesIdTokens)) {
    if (registry.find(definition.name) === undefined) registry.define(definition)
    if (wanted !== undefined && registry.typeOf(definition.name).dataSource === undefined)
      registry.attach(definition.name, wanted)
  }
  return modelNames(registry, options)
}
