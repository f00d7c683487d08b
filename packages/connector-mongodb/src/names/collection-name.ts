import { InvalidDefinition, type ModelType } from '@modelwire/core/connector'
import { readMapping } from './read-mapping.ts'

/**
 * The collection of a model: by its settings, or its name.
 * @throws {InvalidDefinition} MongoDB has no collection of such a name
 * @see loopback-connector-mongodb, lib/mongodb.js: collectionName
 */
export function collectionName({ name, definition }: Pick<ModelType, 'name' | 'definition'>): string {
  const collection = readMapping(definition).collection ?? name
  if (!/[\0$]/.test(collection) && !collection.startsWith('system.') && collection.isWellFormed()) return collection
  throw new InvalidDefinition(`"${collection}" cannot be the name of a collection`, { key: 'mongodb.collection' })
}
