import t from 'tap'
import type { Connector } from '@modelwire/core/connector'
import { collectNotes } from '#src/boot-report.ts'
import { readConfig } from '#src/read/config/read-config.ts'
import { createDataSources, type DataSources } from '#src/read/connectors/create-data-sources.ts'
import { makeAppFolder } from '../../make-app.ts'

const log = { info: () => {}, warn: () => {}, error: () => {} }
const findVariable = (name: string): unknown => ({ HOST: 'db.example', size: 3, URL: 'memory:' })[name]

async function create(
  t: Parameters<typeof makeAppFolder>[0],
  datasources: object,
  connectors = {},
  requireConnectors = false
): Promise<{ byName: DataSources; notes: readonly object[] }> {
  const folder = await makeAppFolder(t, { 'server/datasources.json': datasources })
  const config = readConfig(folder, 'datasources')
  const { notes, add } = collectNotes()
  const byName = createDataSources({ folder, log, config, findVariable, connectors, add, requireConnectors })
  return { byName, notes }
}

void t.test('makes a connector per data source, with variables filled in', async (t) => {
  const seen: object[] = []
  const own = (settings: object): Connector => {
    seen.push(settings)
    return { name: 'own', capabilities: {}, connect: async () => {} } as unknown as Connector
  }
  const { byName } = await create(t, { db: { connector: 'own', host: '${HOST}', pool: { max: '${size}' } } }, { own })
  t.strictSame(seen, [{ name: 'db', connector: 'own', host: 'db.example', pool: { max: 3 } }])
  t.strictSame(byName['db']?.settings, seen[0])
})

void t.test('a data source without a connector has the one of its own name', async (t) => {
  const { byName } = await create(t, { memory: {}, db: { connector: 'transient' } })
  t.equal(byName['memory']?.connector.name, 'memory')
  t.equal(byName['db']?.connector.name, 'transient')
})

void t.test('an unknown variable is told and left out', async (t) => {
  const { byName, notes } = await create(t, { db: { connector: 'memory', extra: '${NOPE}' } })
  t.strictSame(byName['db']?.settings, { name: 'db', connector: 'memory' })
  t.match(notes, [{ key: 'db', reason: /NOPE/ }])
})

void t.test('urlFrom takes connector and URL from a variable, and is no setting of the connector', async (t) => {
  const { byName } = await create(t, {
    db: { connector: 'transient', urlFrom: 'URL' },
    other: { connector: 'transient', urlFrom: 'NOPE' }
  })
  t.strictSame(byName['db']?.settings, { name: 'db', connector: 'memory' })
  t.strictSame(byName['other']?.settings, { name: 'other', connector: 'transient' })
})

void t.test('connectors that are required and not installed are refused together, before any is made', async (t) => {
  const made: unknown[] = []
  const own = (settings: object): Connector => {
    made.push(settings)
    throw new Error('not reached')
  }
  const sources = {
    first: { connector: 'own' },
    db: { connector: 'postgresql' },
    archive: { connector: 'loopback-connector-postgresql' },
    cache: { connector: 'kv-redis' }
  }
  await t.rejects(create(t, sources, { own }, true), {
    code: 'CONNECTOR_NOT_INSTALLED',
    message: /^npm install @modelwire\/connector-postgresql @modelwire\/redis first: .*"db", "archive", "cache"/,
    where: { file: 'server/datasources.json', key: 'db.connector' }
  })
  t.strictSame(made, [])
})

void t.test('connectors of others are not required', async (t) => {
  const { notes } = await create(t, { db: { connector: 'oracle' } }, {}, true)
  t.match(notes, [{ key: 'db.connector', level: 'ignored', missingPackage: 'loopback-connector-oracle' }])
})

const refused: [string, object, { code: string; where?: object }][] = [
  ['a data source that is no object', { db: null }, { code: 'CONFIG_VALUE_INVALID', where: { key: 'db' } }],
  [
    'a connector that is no text',
    { db: { connector: {} } },
    { code: 'CONNECTOR_UNKNOWN', where: { key: 'db.connector' } }
  ],
  ['settings that the connector refuses', { db: { connector: 'memory', file: 7 } }, { code: 'OPTION_INVALID' }]
]

for (const [name, datasources, error] of refused) {
  void t.test(`refuses ${name}`, async (t) => {
    await t.rejects(create(t, datasources), error)
  })
}
