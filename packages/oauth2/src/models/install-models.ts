import type { ModelRegistry } from '@modelwire/core'
import { attachModels, modelByType } from '@modelwire/core/plugin'
import { givesIdTokens } from '../keys/key-settings.ts'
import type { WrittenOptions } from '../options/option-table.ts'
import { oauth2Models, type UserIdType } from './definitions.ts'
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

const dataSourceName = (option: WrittenOptions['dataSource']): string | undefined =>
  typeof option === 'object' ? option.name : option

/** Defines the models that the application does not define itself, gives those without a data source one, and names them. */
export function installModels(registry: ModelRegistry, options: WrittenOptions): ModelNames {
  const users = options.userModel ?? modelByType(registry, 'User')?.name
  const definitions = oauth2Models(users, userIdType(registry, users), givesIdTokens(options))
  for (const definition of definitions) if (registry.find(definition.name) === undefined) registry.define(definition)
  const names = definitions.map(({ name }) => name)
  attachModels(registry, names, dataSourceName(options.dataSource))
  const used = modelNames(registry, options)
  // Models of the application's own may replace these.
  for (const name of Object.values(used)) if (name !== undefined) registry.accessModels.add(name)
  return used
}
