// Connectors for recorded applications: `connectorsFor(name)` gives each its own, empty database.
import { mongodb } from '@modelwire/connector-mongodb'
import { mysql } from '@modelwire/connector-mysql'
import { postgresql } from '@modelwire/connector-postgresql'
import { sqlite } from '@modelwire/connector-sqlite'
import { createTestDatabase as createMongodb } from '@modelwire/connector-tests/mongodb'
import { createTestDatabase as createMysql } from '@modelwire/connector-tests/mysql'
import { createTestDatabase as createPostgresql } from '@modelwire/connector-tests/postgresql'

/** Opens an empty database: the connector, and what removes the database again. */
const open = {
  memory: undefined,
  sqlite: () => ({ connector: sqlite({ like: 'part' }), drop: async () => {} }),
  async postgresql() {
    const { url, drop } = await createPostgresql()
    return { connector: postgresql({ url, max: 3, like: 'part' }), drop }
  },
  async mysql() {
    const { url, drop } = await createMysql()
    return { connector: mysql({ url, connectionLimit: 3, like: 'part' }), drop }
  },
  async mongodb() {
    const { url, drop } = await createMongodb()
    return { connector: countingIds(mongodb({ url, max: 3 })), drop }
  }
}

/** The recordings have ids that count, as LoopBack's memory makes them. */
const countingIds = (connector) =>
  Object.defineProperty(connector, 'capabilities', {
    value: { ...connector.capabilities, generatedIdType: 'number', transactions: false }
  })

/** The connectors that take the place of `memory`, and `drop`, which removes their databases. */
export async function connectorsFor(name) {
  if (!(name in open)) throw new Error(`MODELWIRE_CONNECTOR is one of ${Object.keys(open).join(', ')}`)
  if (open[name] === undefined) return { connectors: {}, drop: async () => {} }
  const { connector, drop } = await open[name]()
  return { connectors: { memory: () => withTables(connector) }, drop }
}

/** Makes the tables of all models before the first operation on any: recorded applications fill them as they start. */
function withTables(connector) {
  const models = []
  let migrated
  const ready = () => (migrated ??= connector.migrate(models, { empty: false }))
  const collection = (model) => {
    if (!models.includes(model)) models.push(model)
    const made = connector.collection(model)
    const wait =
      (method) =>
      async (...args) => {
        await ready()
        return made[method](...args)
      }
    return Object.fromEntries(Object.keys(made).map((method) => [method, wait(method)]))
  }
  return {
    name: connector.name,
    capabilities: connector.capabilities,
    collection,
    connect: () => connector.connect(),
    disconnect: () => connector.disconnect(),
    ping: () => connector.ping(),
    migrate: (...args) => connector.migrate(...args),
    transaction: (...args) => connector.transaction(...args)
  }
}
