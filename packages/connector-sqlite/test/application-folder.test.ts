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
async function writeApplication(folder: string, own: Readonly<Record<string, unknown>> = {}): Promise<void> {
  for (const [name, content] of Object.entries({ ...files(join(folder, 'app.db')), ...own })) {
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

// LB3: what 3.28 answered with PostgreSQL and MySQL.
void t.test(
  'idInjection takes no id away from tables, and an id that is not declared as one is a column',
  async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'modelwire-sqlite-'))
    t.teardown(() => rm(folder, { recursive: true, force: true }))
    const table = { idInjection: false, base: 'PersistedModel', sqlite3: { table: 'kept' } }
    await writeApplication(folder, {
      'common/models/thing.json': { name: 'Thing', ...table, properties: { label: 'string' } },
      'common/models/view.json': {
        name: 'View',
        ...table,
        properties: { id: { type: 'string', sqlite3: { columnName: 'code' } }, label: 'string' }
      },
      'server/model-config.json': {
        _meta: { sources: ['../common/models'] },
        Thing: { dataSource: 'db', public: true },
        View: { dataSource: 'db', public: true }
      },
      'server/boot/tables.js': `module.exports = async (app) => {
      const run = (sql) => new Promise((resolve, reject) =>
        app.dataSources.db.connector.execute(sql, [], (error) => (error ? reject(error) : resolve())))
      await run('create table kept (id integer primary key, label text, code text)')
      await run("insert into kept (label, code) values ('a', 'first')")
    }`
    })
    const server = await createServer({ dir: folder, env: 'development', variables: {}, logger: false })
    t.teardown(() => server.close())
    const get = async (url: string): Promise<unknown> => (await server.inject({ url: `/api${url}` })).json()
    t.strictSame(await get('/Things'), [{ label: 'a', id: 1 }])
    t.strictSame(await get('/Things/1'), { label: 'a', id: 1 })
    const made = await server.inject({ method: 'POST', url: '/api/Things', payload: { label: 'b' } })
    t.strictSame(made.json(), { label: 'b', id: 2 })
    t.strictSame(await get('/Views'), [
      { id: 'first', label: 'a' },
      { id: null, label: 'b' }
    ])
  }
)
