import type { ModelRegistry, ModelType } from '@modelwire/core'
import type { OAuth2Options } from '../options.ts'
import { oauth2Models, type UserIdType } from './definitions.ts'

function extendsModel(model: ModelType, root: string): boolean {
  for (let type: ModelType | undefined = model; type !== undefined; type = type.base)
    if (type.name === root) return true
  return false
}

/**
 * The first model with a data source that extends `root`, else `root` where there is such a model.
 * @see LoopBack 3: loopback, lib/registry.js, getModelByType
 */
export function modelByType(registry: ModelRegistry, root: string): string | undefined {
  const models = registry.names().map((name) => registry.typeOf(name))
  const attached = models.find((model) => model.dataSource !== undefined && extendsModel(model, root))
  return attached?.name ?? registry.find(root)?.name
}

/** Name of the user model; undefined where the application has none. */
export function userModelName(registry: ModelRegistry, { userModel }: OAuth2Options): string | undefined {
  return userModel === undefined ? modelByType(registry, 'User') : registry.typeOf(userModel).name
}

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

/** Defines the models that the application does not define itself, and gives those without a data source one. */
export function installModels(registry: ModelRegistry, options: OAuth2Options): void {
  const users = userModelName(registry, options)
  const [only, ...others] = registry.dataSources.keys()
  const wanted = dataSourceName(options.dataSource) ?? (others.length === 0 ? only : undefined)
  for (const definition of oauth2Models(users, userIdType(registry, users))) {
    if (registry.find(definition.name) === undefined) registry.define(definition)
    if (wanted !== undefined && registry.typeOf(definition.name).dataSource === undefined)
      registry.attach(definition.name, wanted)
  }
}
