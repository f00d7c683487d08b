import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import type { Connector, ModelType } from '@modelwire/core/connector'
import { findConnectorFactory } from '#src/read/connectors/connector-factories.ts'
import { connectorName } from '#src/read/connectors/loopback-connectors.ts'
import { bootApp, makeAppFolder } from '../../make-app.ts'

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
    const factory = findConnectorFactory({ folder, log }, name, {}, place)
    t.equal(factory({}).name, connectorName(name))
  }
})

void t.test('connectors of the application come first', async (t) => {
  const folder = await makeAppFolder(t, {})
  const own = { name: 'own' } as Connector
  for (const written of ['memory', 'my-db']) {
    const factory = findConnectorFactory({ folder, log }, written, { [written]: () => own }, place)
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
  const factory = findConnectorFactory({ folder, log }, 'cassandra', {}, place)
  t.match(factory({ url: 'x' }), { name: 'cassandra', settings: { url: 'x' } })
})

void t.test('says what to install where a connector is missing', async (t) => {
  const folder = await makeAppFolder(t, {})
  const advices = {
    oracle: /^npm install loopback-connector-oracle/,
    'loopback-connector-oracle': /^npm install loopback-connector-oracle/,
    'loopback-connector-postgresql': /^npm install @modelwire\/connector-postgresql/,
    './own.js': /^the file does not exist/
  }
  for (const [written, advice] of Object.entries(advices)) {
    const heard: string[] = []
    const connector = findConnectorFactory({ folder, log }, written, {}, place, ({ advice: each }) => heard.push(each))(
      {}
    )
    t.match(heard, [advice])
    await connector.connect()
    const missing = { code: 'CONNECTOR_MISSING', statusCode: 501, message: new RegExp(`"${written}" is not installed`) }
    await t.rejects(connector.ping(), missing)
    await t.rejects(async () => connector.collection({} as ModelType).find({ order: [], skip: 0 }), missing)
    await t.rejects(async () => connector.migrate?.([], { empty: true }), missing)
    await t.rejects(async () => connector.transaction?.(async () => 1), missing)
    await t.rejects(async () => connector.beginTransaction?.(), missing)
    await connector.disconnect()
  }
})

void t.test('a name that means no connector stops the start, with what may be meant', async (t) => {
  const folder = await makeAppFolder(t, { 'package.json': { dependencies: { 'loopback-connector-own': '1' } } })
  const find = (written: string) => () => findConnectorFactory({ folder, log }, written, {}, place)
  t.throws(find('postgesql'), { code: 'CONNECTOR_UNKNOWN', message: /did you mean "postgresql"\?/ })
  t.throws(find('no-such-thing'), { code: 'CONNECTOR_UNKNOWN', where: { ...place, key: 'db.connector' } })
  t.doesNotThrow(find('own'), 'a dependency of the application could be installed')
})

void t.test("the memory connector's file is relative to the application", async (t) => {
  const server = await bootApp(t, { 'server/datasources.json': { db: { connector: 'memory', file: 'records.json' } } })
  await server.inject({ method: 'POST', url: '/api/Things', payload: { label: 'kept' } })
  await server.close()
  t.match(await readFile(join(server.bootReport.dir, 'records.json'), 'utf8'), /kept/)
})
