// Connectors for recorded applications: `connectorsFor(name)` gives each its own, empty database.
import { randomBytes } from 'node:crypto'
import { mysql } from '@modelwire/connector-mysql'
import { postgresql } from '@modelwire/connector-postgresql'
import { sqlite } from '@modelwire/connector-sqlite'

const { MODELWIRE_POSTGRESQL_URL, MODELWIRE_MYSQL_URL } = process.env
const postgresqlUrl = MODELWIRE_POSTGRESQL_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const mysqlUrl = MODELWIRE_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306/'

/** Opens an empty database: the connector, and what removes the database again. */
const open = {
  memory: undefined,
  sqlite: () => ({ connector: sqlite({ like: 'part' }), drop: async () => {} }),
  async postgresql() {
    const schema = newName()
    const drop = () => onPostgresql(`drop schema if exists ${schema} cascade`)
    return { connector: postgresql({ url: postgresqlUrl, schema, max: 3, like: 'part' }), drop }
  },
  async mysql() {
    const database = newName()
    await onMysql(`create database ${database}`)
    const url = Object.assign(new URL(mysqlUrl), { pathname: `/${database}` }).href
    const drop = () => onMysql(`drop database if exists ${database}`)
    return { connector: mysql({ url, connectionLimit: 3, like: 'part' }), drop }
  }
}

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

const newName = () => `modelwire_conformance_${randomBytes(6).toString('hex')}`

async function onPostgresql(statement) {
  const { default: pg } = await import('pg')
  const client = new pg.Client(postgresqlUrl)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

async function onMysql(statement) {
  const { createConnection } = await import('mysql2/promise')
  const connection = await createConnection(mysqlUrl)
  try {
    await connection.query(statement)
  } finally {
    await connection.end()
  }
}
