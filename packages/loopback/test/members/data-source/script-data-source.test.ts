import t from 'tap'
import type { Connector } from '@modelwire/core/connector'
import { memory } from '@modelwire/connector-memory'
import { bootApp, type Files } from '../../make-app.ts'

type Loose = Record<string, unknown>

/** What a boot script puts into `app.seen`. */
async function see(
  files: Files,
  t: Parameters<typeof bootApp>[0]
): Promise<{ seen: Loose; server: Awaited<ReturnType<typeof bootApp>> }> {
  const server = await bootApp(t, files)
  return { seen: server.loopback['seen'] as Loose, server }
}

void t.test('createModel, define and attach give models that keep records and are served', async (t) => {
  const script = `module.exports = async app => {
    const { db } = app.dataSources
    const Made = db.createModel('Made', { a: String, on: { type: Date, default: Date.now }, list: [Number] })
    const Bare = db.define('Bare', { n: Number })
    const Loose = app.loopback.PersistedModel.extend('Loose', {})
    app.seen = {
      bases: [Made.base.modelName, Bare.base.modelName],
      attached: [Made.dataSource === db, db.attach(Loose) === Loose, Loose.dataSource === db],
      found: [db.getModel('Made') === Made, db.getModel('None'), app.loopback.findModel('Bare') === Bare],
      records: [await Made.create({ a: 1 }), await Bare.create({ n: '2' })].map(record => record.toJSON())
    }
    app.model(Made, { dataSource: db, public: true })
  }`
  const { seen, server } = await see({ 'server/boot/a.js': script }, t)
  t.match(seen, {
    bases: ['PersistedModel', 'Model'],
    attached: [true, true, true],
    found: [true, undefined, true],
    // LoopBack 3.28, too, keeps the number that the function of a default makes.
    records: [{ id: 1, a: '1', on: Number }, { n: 2 }]
  })
  t.match((await server.inject('/api/Mades')).json(), [{ id: 1, a: '1' }])
})

void t.test('a mixin declares relations and scopes through the data source of its model', async (t) => {
  const { server } = await see(
    {
      'common/models/thing.json': { name: 'Thing', properties: { label: 'string' }, mixins: { Owned: true } },
      'common/mixins/owned.js': `module.exports = Model => {
        Model.dataSource.defineRelations(Model, {
          parent: { type: 'belongsTo', model: 'Thing', foreignKey: 'parentId' },
          parts: { type: 'hasMany', model: Model, foreignKey: 'parentId' }
        })
        Model.dataSource.defineScopes(Model, { roots: { where: { parentId: null } } })
      }`,
      'server/boot/a.js': `module.exports = async app => {
        const { Thing } = app.models
        await Thing.create([{ label: 'whole' }, { label: 'part', parentId: 1 }])
        const refused = []
        for (const [model, relations] of [[Thing, { a: { type: 'owns' } }], [Thing, { a: null }], [{}, {}]]) {
          try { app.dataSources.db.defineRelations(model, relations) } catch (error) { refused.push(error.code) }
        }
        app.seen = refused
      }`
    },
    t
  )
  const get = async (path: string): Promise<unknown> => (await server.inject(`/api/Things${path}`)).json()
  t.match(await get('/1/parts'), [{ id: 2, label: 'part' }])
  t.match(await get('/2?filter={"include":"parent"}'), { parent: { label: 'whole' } })
  t.match(await get('/roots'), [{ label: 'whole' }])
  t.strictSame(server.loopback['seen'], Array(3).fill('SCRIPT_ARGUMENT_INVALID'))
})

void t.test('buildModelFromInstance takes types from an object', async (t) => {
  const script = `module.exports = app => {
    const Sample = app.dataSources.db.buildModelFromInstance('Sample', {
      text: 'x', n: 1, yes: true, on: new Date(0), list: [{ q: 1 }], none: null, part: { deep: 'x' }, empty: {}
    })
    const type = name => Sample.definition.properties[name].type
    app.seen = {
      types: ['text', 'n', 'yes', 'on', 'part', 'empty'].map(name => Sample.getPropertyType(name)),
      strict: Sample.settings.strict
    }
  }`
  const { seen } = await see({ 'server/boot/a.js': script }, t)
  t.strictSame(seen, { types: ['String', 'Number', 'Boolean', 'Date', 'Object', 'Object'], strict: false })
})

void t.test('a data source tells when it is connected', async (t) => {
  const script = `module.exports = (app, done) => {
    const { db } = app.dataSources
    app.seen = { before: [db.connected, db.connecting] }
    const fresh = new app.loopback.DataSource('memory')
    app.seen.fresh = [fresh.connected, fresh.connecting, fresh.name]
    fresh.on('error', done)
    fresh.once('connected', () => {
      app.seen.after = [fresh.connected, fresh.connecting, fresh.initialized]
      fresh.once('disconnected', () => { app.seen.closed = fresh.connected })
      fresh.disconnect(() => fresh.connect(() => { app.seen.again = fresh.connected; done() }))
    })
  }`
  const { seen } = await see({ 'server/boot/a.js': script }, t)
  t.strictSame(seen, {
    before: [false, true],
    fresh: [false, true, 'memory'],
    after: [true, false, true],
    closed: false,
    again: true
  })
})

void t.test('listeners hear of a data source that cannot be connected', async (t) => {
  const broken = (): Connector => {
    const connector = memory()
    return Object.assign(connector, { connect: () => Promise.reject(new Error('unreachable')) })
  }
  const heard: unknown[] = []
  const script = `module.exports = app => {
    app.loopback.createDataSource('x', { connector: 'broken' }).once('error', error => app.heard.push(error.message))
  }`
  const failing = bootApp(
    t,
    { 'server/boot/a.js': script },
    {
      connectors: { broken },
      extensions: [{ name: 'x', beforeScripts: ({ app }) => void Object.assign(app, { heard }) }]
    }
  )
  // The start waits for every data source, as it does for those of datasources.json.
  await t.rejects(failing, /unreachable/)
  t.strictSame(heard, ['unreachable'])
})

void t.test(
  'a boot script that waits for a data source which cannot be connected does not outlast the start',
  async (t) => {
    const broken = (): Connector => Object.assign(memory(), { connect: () => Promise.reject(new Error('unreachable')) })
    const failing = bootApp(
      t,
      {
        'server/datasources.json': { db: { connector: 'broken' } },
        'server/boot/a.js': `module.exports = (app, done) => {
        app.dataSources.db.once('connected', done)
      }`
      },
      { connectors: { broken } }
    )
    await t.rejects(failing, /unreachable/)
  }
)

void t.test('names in the database and kinds of the connector are told', async (t) => {
  const { loopback } = await bootApp(t, {
    'server/datasources.json': { db: { connector: 'memory' }, mail: { connector: 'mail' } }
  })
  const { db, mail } = loopback.dataSources
  t.strictSame(
    [
      db?.idName('Thing'),
      db?.idNames('Thing'),
      db?.tableName('Thing'),
      db?.columnNames('Thing'),
      db?.idColumnName('Thing')
    ],
    ['id', ['id'], 'Thing', ['label', 'id'], 'id']
  )
  t.strictSame([db?.columnName('Thing', 'label'), db?.columnMetadata('Thing', 'label')], ['label', null])
  t.match(db?.idProperty('Thing'), { id: true })
  t.strictSame([db?.getTypes(), mail?.getTypes()], [['db', 'nosql', 'memory'], []])
  t.strictSame([db?.supportTypes('db'), db?.supportTypes(['db', 'x']), db?.isRelational()], [true, false, false])
  t.equal(db?.modelBuilder, loopback.registry.modelBuilder)
  t.equal(db?.app, loopback)
  t.strictSame(Object.keys(db?.definitions ?? {}), ['Thing'])
  t.equal(db?.getModelDefinition('Thing')?.idName(), 'id')
  t.equal(db?.getModelDefinition('None'), undefined)
})

void t.test('a foreign key has the type of the id that it names', async (t) => {
  const script = `module.exports = app => {
    const { db } = app.dataSources
    const Part = db.createModel('Part', {})
    db.defineForeignKey('Part', 'thingId', 'Thing')
    db.defineProperty('Part', 'more', { type: 'string' })
    app.seen = { type: Part.getPropertyType('thingId'), more: Part.getPropertyType('more') }
    db.deleteModelByName('Part')
    app.seen.gone = app.models.Part
  }`
  const { seen } = await see({ 'server/boot/a.js': script }, t)
  t.strictSame(seen, { type: 'Number', more: 'String', gone: undefined })
})

void t.test('what data sources do not have names what to use', async (t) => {
  const { loopback } = await bootApp(t)
  const db = loopback.dataSources['db'] as unknown as Record<string, () => void> // refused members are functions
  for (const name of ['copyModel', 'enableRemote', 'discoverSchemasSync', 'queueInvocation'])
    t.throws(() => db[name]?.(), { code: 'MEMBER_NOT_PROVIDED' }, name)
})
