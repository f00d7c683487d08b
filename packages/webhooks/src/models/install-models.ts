import type { ModelRegistry } from '@modelwire/core'
import { attachModels, InvalidOption, modelByType } from '@modelwire/core/plugin'
import { InvalidDefinition } from '@modelwire/core/connector'
import { administrators, endpointModelName, type UserIdType, webhookModels } from './definitions.ts'

/** How ids of users are stored beside endpoints: as the user model has them. */
function userIdType(registry: ModelRegistry): UserIdType {
  const model = modelByType(registry, 'User')
  const { type, generated } = model?.idProperty ?? {}
  const isNumber = type?.kind === 'number' || type?.kind === 'integer'
  const makesNumbers = generated === true && model?.dataSource?.connector.capabilities.generatedIdType === 'number'
  return isNumber || (type?.kind === 'any' && makesNumbers) ? 'number' : 'string'
}

/**
 * Defines the models that the application does not define itself, and gives those without a data source one.
 * @throws {InvalidOption} there are several data sources, and none is named
 * @throws {InvalidDefinition} one of the models logs its changes
 */
export function installModels(registry: ModelRegistry, dataSource: string | undefined): void {
  const facts = { userId: userIdType(registry), isPublic: registry.accessControl !== undefined }
  const definitions = webhookModels(facts)
  for (const definition of definitions) if (registry.find(definition.name) === undefined) registry.define(definition)
  // An application that has no administrators yet starts; until then no client may use the routes.
  registry.laterRoles.add(administrators)
  const names = definitions.map(({ name }) => name)
  attachModels(registry, names, dataSource)
  for (const model of names.map((name) => registry.typeOf(name)))
    if (model.logsChanges)
      throw new InvalidDefinition('models of webhooks cannot log their changes: each message would cause another one', {
        model: model.name,
        key: 'changeLog'
      })
  // An endpoint receives what its user may read, for as long as it is there: whoever may create one needs that right.
  registry.accessModels.add(endpointModelName)
  if (names.some((name) => registry.typeOf(name).dataSource === undefined))
    throw new InvalidOption('name the data source of the models of webhooks', { key: 'webhooks.dataSource' })
}
