import { checkOptions, InvalidOption } from '@modelwire/server'
import { orderDefinitions } from './model/model-lineage.ts'
import { CoreOptionsSchema, type CoreOptions, type DataSourceOption } from './options.ts'
import { onlyDataSource } from './model/attach-model.ts'
import { ModelRegistry } from './registry.ts'
import { useSharedState } from './state-in-data-source/data-source-store.ts'

const splitDataSource = (option: DataSourceOption) =>
  'capabilities' in option ? { connector: option, settings: {} } : { settings: {}, ...option }

/** A key is the name that the types of `app.models` know: nothing would be there under it. */
function refuseOtherNames(models: CoreOptions['models'] = []): void {
  if (Array.isArray(models)) return
  const wrong = Object.entries(models).find(([key, { name }]) => key !== name)
  if (wrong === undefined) return
  const [key, { name }] = wrong
  throw new InvalidOption(`the model is named "${name}": use this name as its key, or pass the models as a list`, {
    key: `models.${key}`
  })
}

/**
 * Builds the registry of an application from the plugin's options.
 * @throws {InvalidOption} an option is unknown or malformed, or a model is listed under a different name
 * @throws {DefinitionError} a definition is wrong
 */
export function buildRegistry(options: CoreOptions, onError: (error: unknown) => void): ModelRegistry {
  checkOptions('modelwire', CoreOptionsSchema, options)
  refuseOtherNames(options.models)
  const registry = new ModelRegistry({ ...options, onError })
  for (const [name, option] of Object.entries(options.dataSources ?? {})) {
    const { connector, settings } = splitDataSource(option)
    registry.addDataSource(name, connector, settings)
  }
  const only = onlyDataSource(registry.dataSources)
  for (const definition of orderDefinitions(Object.values(options.models ?? {}), registry)) {
    registry.define(definition)
    const wanted = definition.dataSource === undefined ? only : definition.dataSource
    if (wanted !== undefined) registry.attach(definition.name, wanted)
  }
  useSharedState(registry, options.sharedState)
  return registry
}
