import t, { type Test } from 'tap'
import { bootApp, type Files, refusal } from '../../make-app.ts'

type Members = Record<string, (...args: unknown[]) => unknown>
type AnyModel = (new (data: object) => Members & Record<string, unknown>) & Members

async function bootThing(
  t: Test,
  script = '',
  more: Files = {}
): Promise<{ Thing: AnyModel; app: Record<string, unknown> }> {
  const properties = {
    label: { type: 'string', required: true },
    email: { type: 'string' },
    born: { type: 'date' },
    trigger: { type: 'string' }
  }
  const { loopback } = await bootApp(t, {
    'common/models/thing.json': { name: 'Thing', properties },
    'common/models/thing.js': `module.exports = Thing => { ${script} }`,
    ...more
  })
  return { Thing: loopback.models['Thing'] as unknown as AnyModel, app: loopback } // a class of the application
}

void t.test('validations tell the rules by property, as LoopBack lists them', async (t) => {
  const { Thing } = await bootThing(t, `Thing.validatesLengthOf('label', { min: 2 })`)
  t.strictSame(JSON.parse(JSON.stringify(Thing['validations'])), {
    label: [
      { validation: 'presence', options: {} },
      { min: 2, validation: 'length', options: {} }
    ],
    born: [{ validation: 'date', options: {} }],
    id: [{ validation: 'absence', if: 'isNewRecord', options: {} }]
  })
})

void t.test('a rule that is deleted is not asked, that of a built-in model neither', async (t) => {
  const script = `Thing.validatesPresenceOf('email'); delete Thing.validations.email; Thing.validations.label = []`
  const person = { name: 'Person', base: 'User' }
  const { app } = await bootThing(t, script, {
    'common/models/person.json': person,
    'common/models/person.js': 'module.exports = Person => { delete Person.validations.email }',
    'server/model-config.json': {
      _meta: { sources: ['../common/models'] },
      Thing: { dataSource: 'db' },
      Person: { dataSource: 'db' },
      AccessToken: { dataSource: 'db', public: false }
    }
  })
  const { Thing, Person } = app['models'] as Record<string, AnyModel>
  t.match(await Thing?.['create']?.({}), { id: 1 })
  const account = { username: 'a', password: 'secret-1' }
  t.match(await Person?.['create']?.({ ...account, email: 'none' }), { email: 'none' })
})

void t.test('rules cannot be put into the list of validations', async (t) => {
  const { Thing } = await bootThing(t)
  const { validations } = Thing as unknown as { validations: Record<string, unknown> } // a view
  t.throws(() => (validations['email'] = [{ validation: 'presence' }]), { code: 'SCRIPT_ARGUMENT_INVALID' })
  t.strictSame(Object.keys(validations).toSorted(), ['born', 'id', 'label'])
})

// Asked of LoopBack 3.28, with records a, b and a of the ids 1, 2 and 3.
const asked: [unknown[], unknown[]][] = [
  [[[3, 1]], [3, 1]],
  [
    [[3, 1], { where: { label: 'a' } }],
    [3, 1]
  ],
  [
    [[3, 1, 2], { order: 'id DESC' }],
    [3, 2, 1]
  ],
  [[[9, 3]], [3]],
  [[[]], []],
  [[[3, 1, 3]], [3, 1]],
  [[[3, 2, 1], { limit: 1 }], [1]]
]

void t.test('findByIds gives records in the order of the ids, or of the query', async (t) => {
  const { Thing } = await bootThing(t)
  await Thing['create']?.([{ label: 'a' }, { label: 'b' }, { label: 'a' }])
  for (const [args, ids] of asked) {
    const found = (await Thing['findByIds']?.(...args)) as { id: unknown }[]
    t.strictSame(
      found.map(({ id }) => id),
      ids,
      JSON.stringify(args)
    )
    const called = await new Promise((done) => Thing['findByIds']?.(...args, (...answer: unknown[]) => done(answer)))
    t.match(called, [null, ids.map((id) => ({ id }))])
  }
  await t.rejects(Thing['findByIds']?.('x') as Promise<unknown>, { code: 'SCRIPT_ARGUMENT_INVALID' })
  await t.rejects(Thing['findByIds']?.([1], 'q') as Promise<unknown>, { code: 'SCRIPT_ARGUMENT_INVALID' })
})

void t.test('mixin copies members, or applies a mixin by its name', async (t) => {
  const script = `
    function Walks() {}
    Walks.legs = 2
    Walks.prototype.walk = function () { return 'walks' }
    Thing.mixin(Walks)
    Thing.mixin({ legs: 4, arms: 2 })
    Thing.mixin('Stamp', { at: 1 })
    Thing.modelBuilder.mixins.define('Mark', (Model, options) => { Model.mark = options })
    Thing.mixin('Mark', { by: 'x' })
    try { Thing.mixin('None') } catch (error) { Thing.refused = error.code }`
  const { Thing } = await bootThing(t, script, {
    'common/mixins/stamp.js': 'module.exports = (Model, options) => { Model.stamp = options }'
  })
  const { legs, arms, stamp, mark, refused } = Thing as unknown as Record<string, unknown> // set by the script
  t.strictSame(
    { legs, arms, stamp, mark, refused },
    { legs: 2, arms: 2, stamp: { at: 1 }, mark: { by: 'x' }, refused: 'MIXIN_UNKNOWN' }
  )
  t.equal(new Thing({})['walk']?.(), 'walks')
})

void t.test('setup of a model runs for those that extend it', async (t) => {
  const script = `Thing.made = []; Thing.setup = function () { Thing.made.push(this.modelName) }`
  const { Thing, app } = await bootThing(t, script, {
    'common/models/kid.json': { name: 'Kid', base: 'Thing' },
    'server/boot/extend.js': `module.exports = app => { app.models.Thing.extend('Later') }`,
    'server/model-config.json': {
      _meta: { sources: ['../common/models'] },
      Thing: { dataSource: 'db' },
      Kid: { dataSource: 'db' }
    }
  })
  t.ok(app)
  t.strictSame(Thing['made'], ['Kid', 'Later'])
})

void t.test('records unset a property and know where they come from', async (t) => {
  const { Thing, app } = await bootThing(t)
  const thing = new Thing({ label: 'a', email: 'b' })
  thing['unsetAttribute']?.('email')
  thing['unsetAttribute']?.('label', true)
  t.match(thing['toObject']?.(), { label: null, email: undefined })
  const { db } = app['dataSources'] as Record<string, { connector: unknown }>
  t.equal(thing['getConnector']?.(), db?.connector)
  t.equal(Thing['getConnector']?.(), db?.connector)
  t.equal(thing['getDataSource']?.(), db)
  t.equal(thing['getIdName']?.(), 'id')
  t.equal(thing['getPropertyType']?.('born'), 'Date')
  thing['fromObject']?.({ email: 'c' })
  t.match(thing['inspect']?.(), /email: 'c'/)
})

void t.test('members of records do not get in the way of properties of their names', async (t) => {
  const { Thing } = await bootThing(t)
  const created = (await Thing['create']?.({ label: 'a' })) as { toJSON: () => object }
  t.notOk('trigger' in JSON.parse(JSON.stringify(created)))
})

void t.test('a model knows the registry, the builder, its path and its definition', async (t) => {
  const { Thing, app } = await bootThing(t)
  const { definition, modelBuilder, registry, http, shared, config } = Thing as unknown as Record<string, Members>
  t.equal(registry, app['registry'])
  t.equal((modelBuilder as unknown as { models: object }).models['Thing' as never], Thing)
  t.equal(definition?.['idName']?.(), 'id')
  t.equal(definition?.['modelBuilder'], modelBuilder)
  t.strictSame([http, shared, config], [{ path: '/Things' }, true, { dataSource: 'db', public: true }])
  t.strictSame([Thing['isHiddenProperty']?.('label'), Thing['isProtectedProperty']?.('label')], [false, false])
  t.equal(Thing['registerProperty']?.('label'), undefined)
  t.throws(() => Thing['registerProperty']?.('none'), { code: 'SCRIPT_ARGUMENT_INVALID' })
  t.strictSame(Thing['getUpdateOnlyProperties']?.(), ['id'])
})

void t.test('validatesDateOf finds fault with what is not a date', async (t) => {
  const { Thing } = await bootThing(t, `Thing.validatesDateOf('email')`)
  await t.rejects(Thing['create']?.({ label: 'a', email: 'never' }) as Promise<unknown>, { code: 'VALIDATION_FAILED' })
  t.match(await Thing['create']?.({ label: 'a', email: '2020-01-01' }), { id: 1 })
})

const refused = ['Thing.replicate()', 'Thing.enableChangeTracking()', 'Thing.include([], "x")', 'new Thing({}).reset()']
for (const line of refused) {
  void t.test(`refuses ${line}, and says what to use`, async (t) => {
    const script = `module.exports = Thing => { try { ${line} } catch (error) { Thing.refused = error } }`
    const { Thing } = await bootThing(t, '', { 'common/models/thing.js': script })
    t.match(Thing['refused'], { code: 'MEMBER_NOT_PROVIDED', message: /is not provided: .*use/ })
  })
}

// LoopBack 3.28 takes all of them.
const own = [
  'diff',
  'changes',
  'checkpoint',
  'include',
  'sharedCtor',
  'base',
  'http',
  'relations',
  'registry',
  'validations'
]
for (const name of own) {
  void t.test(`a script may have a member of its own named ${name}`, async (t) => {
    const script = `'use strict'; module.exports = Thing => { Thing.${name} = () => 7 }`
    const { Thing } = await bootThing(t, '', { 'common/models/thing.js': script })
    t.equal(Thing[name]?.(), 7)
  })
}

void t.test('settings that a script puts in the place of those of a model are taken over', async (t) => {
  const script = `module.exports = Thing => { Thing.settings = { hidden: ['label'], own: 1 } }`
  const { Thing } = await bootThing(t, '', { 'common/models/thing.js': script })
  t.match(Thing['settings'], { own: 1, hidden: ['label'] })
})

void t.test('a model that records its changes for replication stops the start', async (t) => {
  const files = { 'common/models/thing.json': { name: 'Thing', trackChanges: true } }
  const place = { code: 'REPLICATION_NOT_PROVIDED', key: 'trackChanges' }
  t.strictSame(await refusal(t, files), { ...place, file: 'common/models/thing.json' })
  const script = `module.exports = app => { app.loopback.createModel('Late', {}, { trackChanges: true }) }`
  t.match(await refusal(t, { 'server/boot/a.js': script }), { code: 'REPLICATION_NOT_PROVIDED' })
})
