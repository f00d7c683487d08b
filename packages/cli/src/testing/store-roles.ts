import type { Collection, Connector } from '@modelwire/core/connector'
import { isOfModel } from '@modelwire/core/plugin'

/** Lets a connector of a test hold roles once it is connected, before access rules are checked. */
export function storeRoles(connector: Connector, roles: readonly string[]): Connector {
  if (roles.length === 0) return connector
  const collections: Collection[] = []
  const collection = connector.collection.bind(connector)
  const connect = connector.connect.bind(connector)
  connector.collection = (model) => {
    const made = collection(model)
    if (isOfModel(model, 'Role')) collections.push(made)
    return made
  }
  connector.connect = async () => {
    await connect()
    for (const each of collections.splice(0)) await each.insert(roles.map((name) => ({ name })))
  }
  return connector
}
