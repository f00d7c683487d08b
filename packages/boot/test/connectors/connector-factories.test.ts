import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import type { Connector } from '@modelwire/core'
import { connectorName, findConnectorFactory } from '#src/connectors/connector-factories.ts'
import { bootApp, makeAppFolder } from '../make-app.ts'

const place = { file: 'server/datasources.json', key: 'db' }
const log = { info: () => {}, warn: () => {}, error: () => {} }

void t.test('knows LoopBack names of connectors', async (t) => {
  const names = {
    memory: 'memory',
    Memory: 'memory',
    'loopback-connector-mysql': 'mysql',
    postgres: 'postgresql',
    sqlite3: 'sqlite',
    mariadb: 'mysql'
  }
  for (const [written, name] of Object.entries(names)) t.equal(connectorName(written), name)
})

void t.test('the built-in connectors are there', async (t) => {
  const folder = await makeAppFolder(t, {})
  for (const name of ['memory', 'loopback-connector-memory', 'transient', 'mail']) {
    const factory = await findConnectorFactory({ folder, log }, name, {}, place)
    t.equal(factory({}).name, connectorName(name))
  }
})

void t.test('connectors of the application come first', async (t) => {
  const folder = await makeAppFolder(t, {})
  const own = { name: 'own' } as Connector
  for (const written of ['memory', 'my-db']) {
    const factory = await findConnectorFactory({ folder, log }, written, { [written]: () => own }, place)
    t.equal(factory({}), own)
  }
})

void t.test('a package beside the application is found', async (t) => {
  const folder = await makeAppFolder(t, {
    'node_modules/@modelwire/connector-cassandra/package.json': {
      name: '@modelwire/connector-cassandra',
      type: 'module',
      exports: './index.js'
    },
    'node_modules/@modelwire/connector-cassandra/index.js':
      'export const cassandra = settings => ({ name: "cassandra", settings })'
  })
  const factory = await findConnectorFactory({ folder, log }, 'cassandra', {}, place)
  t.match(factory({ url: 'x' }), { name: 'cassandra', settings: { url: 'x' } })
})

void t.test(
  'says which connectors there are where a name is unknown, and names no package that does not exist',
  async (t) => {
    const folder = await makeAppFolder(t, {})
    const find = () => findConnectorFactory({ folder, log }, 'loopback-connector-oracle', {}, place)
    t.throws(find, {
      code: 'CONNECTOR_UNKNOWN',
      where: { ...place, key: 'db.connector' },
      message: /^no connector is named "oracle": there are .*postgresql.*option connectors/
    })
  }
)

void t.test("the memory connector's file is relative to the application", async (t) => {
  const server = await bootApp(t, { 'server/datasources.json': { db: { connector: 'memory', file: 'records.json' } } })
  await server.inject({ method: 'POST', url: '/api/Things', payload: { label: 'kept' } })
  await server.close()
  t.match(await readFile(join(server.bootReport.dir, 'records.json'), 'utf8'), /kept/)
})
