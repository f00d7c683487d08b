import t from 'tap'
import { bootApp, makeFolder } from '../../make-app.ts'

const two = {
  'server/datasources.json': {
    db: { connector: 'memory' },
    none: { connector: 'transient' },
    mail: { connector: 'mail' }
  },
  'server/model-config.json': {
    _meta: { sources: ['../common/models'] },
    Thing: { dataSource: 'db', public: true },
    Other: { dataSource: 'db', public: true },
    Event: { dataSource: 'none', public: true }
  },
  'common/models/other.json': { name: 'Other', properties: { label: 'string' } },
  'common/models/event.json': { name: 'Event', properties: { label: { type: 'string', required: true } } }
}

async function run(t: Parameters<typeof bootApp>[0], body: string): Promise<unknown> {
  const script = `module.exports = async app => {
    const { Thing, Other, Event } = app.models, { db, none, mail } = app.dataSources
    await Thing.create([{ label: 'a' }, { label: 'b' }]); await Other.create({ label: 'c' })
    const counts = async () => [await Thing.count(), await Other.count()]
    const called = fn => new Promise(resolve => fn((...args) => resolve(args)))
    const code = async promise => { try { await promise; return 'fine' } catch (error) { return error.code } }
    app.set('seen', await (async () => { ${body} })())
  }`
  return (await bootApp(t, { ...two, 'server/boot/try.js': script })).loopback.get('seen')
}

// The expected values are those of LoopBack 3.28, but for the codes.
const seen: [string, string, unknown][] = [
  [
    'automigrate removes all records and starts ids anew',
    'await db.automigrate(); return [await counts(), (await Thing.create({})).id]',
    [[0, 0], 1]
  ],
  ['automigrate of one model', "await db.automigrate('Thing'); return counts()", [0, 1]],
  [
    'automigrate of several, with a callback',
    "return [await called(cb => db.automigrate(['Other'], cb)), await counts()]",
    [[null], [2, 0]]
  ],
  ['automigrate of a model of another data source', "return code(db.automigrate('Event'))", 'SCRIPT_ARGUMENT_INVALID'],
  [
    'autoupdate keeps the records',
    "await db.autoupdate(); await db.autoupdate('Nobody'); return [await called(cb => db.autoupdate(cb)), await counts()]",
    [[null], [2, 1]]
  ],
  [
    'a transient data source',
    'await none.automigrate(); await none.autoupdate(); return none.adapter.name',
    'transient'
  ],
  ['a connector that cannot', 'return code(mail.automigrate())', 'NOT_IMPLEMENTED'],
  [
    'transactions',
    "return [await code(Thing.beginTransaction({})), (await called(cb => Thing.beginTransaction('READ COMMITTED', cb)))[0].code, await code(db.beginTransaction())]",
    ['NOT_IMPLEMENTED', 'NOT_IMPLEMENTED', 'NOT_IMPLEMENTED']
  ],
  [
    'transient models validate and keep nothing',
    'return [await code(Event.create({})), typeof (await Event.create({ label: 1 })).id, await Event.count()]',
    ['VALIDATION_FAILED', 'string', 0]
  ]
]
for (const [what, body, expected] of seen) {
  void t.test(what, async (t) => {
    t.strictSame(await run(t, body), expected)
  })
}

void t.test('records in a file are removed from it, too', async (t) => {
  const folder = await makeFolder(t, {})
  const datasources = { db: { connector: 'memory', file: `${folder}/records.json` } }
  const boot = (body: string) =>
    bootApp(t, {
      'server/datasources.json': datasources,
      'server/boot/try.js': `module.exports = async app => { const { Thing } = app.models; ${body} }`
    })
  await (await boot("await Thing.create({ label: 'a' }); await app.dataSources.db.automigrate()")).close()
  t.equal((await boot("app.set('count', await Thing.count())")).loopback.get('count'), 0)
})
