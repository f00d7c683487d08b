import type { ModelRegistry } from '@modelwire/core'
import type { Connector } from '@modelwire/core/connector'
import type { Finding } from './finding.ts'

/** What something is found of. */
interface FoundOf {
  readonly model: string
  readonly property: string | undefined
}

/** A data source of an application, with the connector to ask. */
interface AskedSource {
  readonly name: string
  readonly connector: Connector
}

/** What the database of a data source has that the application should know. @param placeOf where the application declares it */
export async function examineDatabase(
  registry: ModelRegistry,
  { name, connector }: AskedSource,
  placeOf: (found: FoundOf) => Pick<Finding, 'file' | 'key'>
): Promise<Finding[]> {
  const models = registry.names().map((model) => registry.typeOf(model))
  const facts = await connector.examine?.(models.filter(({ dataSource }) => dataSource?.name === name))
  return (facts ?? []).map(({ model, property, ...fact }) => ({ ...fact, ...placeOf({ model, property }) }))
}
