import t, { type Test } from 'tap'
import { bootApp } from '../../make-app.ts'

const script = `module.exports = (Thing) => {
  const log = (Thing.log = [])
  for (const name of ['beforeValidate', 'beforeCreate', 'beforeSave', 'beforeUpdate', 'beforeDestroy'])
    Thing[name] = function (next, data) {
      const given = data === this ? 'itself' : JSON.stringify(data)
      log.push(name + ':' + (this instanceof Thing) + ':' + given)
      if (Thing.change && Thing.change[name]) Thing.change[name].call(this, data)
      if (Thing.fails === name) return next(new Error('no ' + name))
      if (Thing.ends === name) return next(null)
      next()
    }
  for (const name of ['afterValidate', 'afterCreate', 'afterSave', 'afterUpdate', 'afterDestroy'])
    Thing[name] = function (next) {
      log.push(name)
      if (Thing.fails === name) return next(new Error('no ' + name))
      next()
    }
  for (const name of ['access', 'before save', 'persist', 'loaded', 'after save', 'before delete', 'after delete'])
    Thing.observe(name, async () => { log.push(name) })
  Thing.validate('label', function (fail) { log.push('rule'); if (this.label === 'bad') fail() }, { message: 'bad' })
}`

interface ThingClass {
  readonly log: string[]
  fails: string | undefined
  ends: string | undefined
  change: Record<string, (this: Record<string, unknown>, data: Record<string, unknown>) => void> | undefined
  create: (data: object) => Promise<Thing>
  findById: (id: number) => Promise<Thing>
  upsert: (data: object) => Promise<Thing>
  replaceById: (id: number, data: object) => Promise<Thing>
  destroyById: (id: number) => Promise<unknown>
}

interface Thing {
  [name: string]: unknown
  save: () => Promise<Thing>
  patchAttributes: (data: object) => Promise<Thing>
  destroy: () => Promise<unknown>
  isValid: () => boolean
  toJSON: () => object
}

const files = {
  'common/models/thing.json': { name: 'Thing', properties: { label: 'string', n: 'number' } },
  'common/models/thing.js': script
}

async function bootThing(t: Test) {
  const server = await bootApp(t, files)
  return { server, Thing: server.loopback.models['Thing'] as unknown as ThingClass } // what the script made of it
}

/** What an action logs. */
async function logOf(Thing: ThingClass, act: () => unknown): Promise<string[]> {
  Thing.log.length = 0
  await act()
  return [...Thing.log]
}

const validated = (data: string): string[] => [`beforeValidate:true:${data}`, 'rule', 'afterValidate']

// The order in which LoopBack 3.28 calls them, and what it gives them.
void t.test('hooks stand around a creation', async (t) => {
  const { Thing } = await bootThing(t)
  t.strictSame(await logOf(Thing, () => Thing.create({ label: 'a' })), [
    'before save',
    ...validated('{"label":"a"}'),
    'beforeCreate:true:itself',
    'beforeSave:true:itself',
    'persist',
    'loaded',
    'afterSave',
    'afterCreate',
    'after save'
  ])
})

void t.test('hooks stand around the save of a stored record', async (t) => {
  const { Thing } = await bootThing(t)
  const thing = await Thing.create({ label: 'a' })
  thing['n'] = 5
  const data = '{"label":"a","n":5,"id":1}'
  t.strictSame(await logOf(Thing, () => thing.save()), [
    'before save',
    ...validated(data),
    `beforeSave:true:${data}`,
    `beforeUpdate:true:${data}`,
    'persist',
    'loaded',
    'after save',
    'afterUpdate',
    'afterSave'
  ])
})

const patched = (data: string): string[] => [
  `beforeSave:true:${data}`,
  `beforeUpdate:true:${data}`,
  'persist',
  'loaded',
  'afterUpdate',
  'afterSave',
  'after save'
]

void t.test('hooks stand around a patch, and around an upsert without validation', async (t) => {
  const { Thing, server } = await bootThing(t)
  const thing = await Thing.create({ label: 'a' })
  const data = '{"n":6}'
  t.strictSame(await logOf(Thing, () => thing.patchAttributes({ n: 6 })), [
    'before save',
    ...validated(data),
    ...patched(data)
  ])
  const overHttp = await logOf(Thing, () => server.inject({ method: 'PATCH', url: '/api/Things/1', payload: { n: 6 } }))
  t.strictSame(overHttp, ['access', 'loaded', 'before save', ...validated(data), ...patched(data)])
})

void t.test('a replacement is validated, a deletion by id has no hooks, that of a record has', async (t) => {
  const { Thing } = await bootThing(t)
  const thing = await Thing.create({ label: 'a' })
  await Thing.create({ label: 'b' })
  t.strictSame(await logOf(Thing, () => Thing.replaceById(1, { label: 'c' })), [
    'before save',
    ...validated('{"label":"c","id":1}'),
    'persist',
    'loaded',
    'after save'
  ])
  t.strictSame(await logOf(Thing, () => Thing.destroyById(2)), ['access', 'before delete', 'after delete'])
  t.strictSame(await logOf(Thing, () => thing.destroy()), [
    'access',
    'before delete',
    'beforeDestroy:true:null',
    'afterDestroy',
    'after delete'
  ])
})

void t.test('hooks stand around isValid of a script', async (t) => {
  const { Thing } = await bootThing(t)
  const thing = await Thing.create({ label: 'a' })
  t.strictSame(await logOf(Thing, () => t.equal(thing.isValid(), true)), validated('undefined'))
})

for (const name of ['beforeCreate', 'beforeSave']) {
  void t.test(`an error of ${name} ends the call`, async (t) => {
    const { Thing, server } = await bootThing(t)
    Thing.fails = name
    await t.rejects(Thing.create({ label: 'a' }), { message: `no ${name}` })
    const answer = await server.inject({ method: 'POST', url: '/api/Things', payload: { label: 'a' } })
    t.equal(answer.statusCode, 500)
    t.strictSame((await server.inject('/api/Things')).json(), [])
  })
}

void t.test('an error of beforeDestroy or beforeUpdate ends the call', async (t) => {
  const { Thing } = await bootThing(t)
  const thing = await Thing.create({ label: 'a' })
  Thing.fails = 'beforeDestroy'
  await t.rejects(thing.destroy(), { message: 'no beforeDestroy' })
  Thing.fails = 'beforeUpdate'
  await t.rejects(thing.patchAttributes({ n: 1 }), { message: 'no beforeUpdate' })
  t.strictSame((await Thing.findById(1)).toJSON(), { label: 'a', id: 1 })
})

void t.test(
  'an error of beforeValidate leaves the validation out, errors of hooks afterwards count for nothing',
  async (t) => {
    const { Thing } = await bootThing(t)
    Thing.fails = 'beforeValidate'
    t.strictSame((await Thing.create({ label: 'bad' })).toJSON(), { label: 'bad', id: 1 })
    for (const name of ['afterValidate', 'afterSave', 'afterCreate']) {
      Thing.fails = name
      t.match((await Thing.create({ label: name })).toJSON(), { label: name })
    }
  }
)

void t.test('a hook that calls back with something else than an error stores nothing', async (t) => {
  const { Thing, server } = await bootThing(t)
  Thing.ends = 'beforeSave'
  await t.rejects(Thing.create({ label: 'a' }), { code: 'HOOK_ENDED_CALL', statusCode: 500 })
  t.strictSame((await server.inject('/api/Things')).json(), [])
})

void t.test('what hooks change is stored: in the record of a creation, in the data of a save or a patch', async (t) => {
  const { Thing } = await bootThing(t)
  Thing.change = {
    beforeSave(data) {
      data['n'] = 100
      this['label'] = 'mine'
    }
  }
  t.strictSame((await Thing.create({ label: 'm' })).toJSON(), { label: 'mine', n: 100, id: 1 })
  const thing = await Thing.findById(1)
  t.strictSame((await thing.save()).toJSON(), { label: 'mine', n: 100, id: 1 })
  Thing.change = { beforeUpdate: (data) => void (data['n'] = 55) }
  t.strictSame((await thing.patchAttributes({ label: 'k' })).toJSON(), { label: 'k', n: 55, id: 1 })
  t.strictSame((await Thing.findById(1)).toJSON(), { label: 'k', n: 55, id: 1 })
  Thing.change = {
    beforeValidate() {
      this['label'] = 'bad'
    }
  }
  await t.rejects(Thing.create({ label: 'm' }), { code: 'VALIDATION_FAILED' })
})

void t.test('afterInitialize sees every record that is made, and answers show what it sets', async (t) => {
  const server = await bootApp(t, {
    ...files,
    'common/models/thing.js': `module.exports = (Thing) => {
      Thing.afterInitialize = function () { this.shown = this.label + '!' }
    }`
  })
  const created = await server.inject({ method: 'POST', url: '/api/Things', payload: { label: 'a' } })
  t.match(created.json(), { label: 'a', shown: 'a!' })
  t.match((await server.inject('/api/Things')).json(), [{ label: 'a', shown: 'a!' }])
  t.match((await server.inject('/api/Things/1')).json(), { shown: 'a!' })
})

void t.test('models that extend a model have its hooks, mixed-in ones count, older names as well', async (t) => {
  const server = await bootApp(t, {
    ...files,
    'common/models/thing.js': `module.exports = (Thing) => {
      Thing.mixin({ preSave(next) { this.label += '!'; next() } })
      Thing.beforeValidation = function (next) { this.n = 1; next() }
    }`,
    'server/boot/a.js': `module.exports = (app) => {
      const Kid = app.registry.createModel('Kid', {}, { base: 'Thing' })
      app.model(Kid, { dataSource: 'db' })
    }`
  })
  for (const url of ['/api/Things', '/api/Kids']) {
    const created = await server.inject({ method: 'POST', url, payload: { label: 'a' } })
    t.strictSame(created.json(), { label: 'a!', n: 1, id: 1 })
  }
})
