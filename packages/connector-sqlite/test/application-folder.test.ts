import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createServer } from '@modelwire/boot'
import t from 'tap'

const files = (database: string): Readonly<Record<string, unknown>> => ({
  'server/config.json': { restApiRoot: '/api' },
  'server/datasources.json': { db: { name: 'db', connector: 'loopback-connector-sqlite3', file: database } },
  'server/model-config.json': { _meta: { sources: ['../common/models'] }, Thing: { dataSource: 'db', public: true } },
  'server/middleware.json': { routes: { 'loopback#rest': { paths: ['${restApiRoot}'] } } },
  'server/boot/tables.js': 'module.exports = (app, done) => app.dataSources.db.autoupdate(done)',
  'common/models/thing.json': {
    name: 'Thing',
    base: 'PersistedModel',
    properties: {
      label: { type: 'string', required: true, sqlite3: { columnName: 'the_label' } },
      made: 'date',
      parts: ['string']
    },
    sqlite3: { tableName: 'things' }
  }
})

/** An application with the connector installed beside it. */
async function writeApplication(folder: string): Promise<void> {
  for (const [name, content] of Object.entries(files(join(folder, 'app.db')))) {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  }
  const installed = join(folder, 'node_modules/@modelwire')
  await mkdir(installed, { recursive: true })
  await symlink(join(import.meta.dirname, '..'), join(installed, 'connector-sqlite'), 'dir')
}

void t.test('an application folder names the connector as LoopBack did, and migrates in a boot script', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-sqlite-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  await writeApplication(folder)
  for (const label of ['first', 'second']) {
    const server = await createServer({ dir: folder, env: 'development', variables: {}, logger: false })
    const payload = { label, made: '2020-01-02', parts: ['a'] }
    const { statusCode, body } = await server.inject({ method: 'POST', url: '/api/Things', payload })
    t.equal(statusCode, 200, body)
    const found = await server.inject({
      url: '/api/Things',
      query: { filter: '{"where":{"parts":"a"},"order":"label DESC"}' }
    })
    t.match(found.json(), [{ label, made: '2020-01-02T00:00:00.000Z', parts: ['a'] }])
    await server.close()
  }
})
