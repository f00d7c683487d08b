import type { DataSource } from '../contract/data-source.ts'
import type { Discovery, DiscoverOptions } from '../contract/discovery.ts'
import type { ModelDefinition } from '../definition/model-definition.ts'
import { NotImplemented } from '../errors.ts'

/**
 * Definitions of models for the tables of a data source: properties with ids, types, lengths, rules and indexes, and
 * `belongsTo` relations for foreign keys. Each can be written into a model file or given to `define`.
 * @throws {NotImplemented} the connector has no tables
 */
export async function discoverModels(
  dataSource: DataSource,
  options: DiscoverOptions = {}
): Promise<ModelDefinition[]> {
  return discoveryOf(dataSource).discoverModels(options)
}

/** What reads the tables of a data source. @throws {NotImplemented} the connector has none */
export function discoveryOf({ connector }: DataSource): Discovery {
  if (connector.discovery !== undefined) return connector.discovery
  throw new NotImplemented(`the connector ${connector.name} has no tables that could be discovered`)
}
