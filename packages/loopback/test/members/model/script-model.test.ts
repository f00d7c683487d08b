import t, { type Test } from 'tap'
import type { ModelRegistry } from '@modelwire/core'
import { bootApp } from '../../make-app.ts'

type Name =
  | 'count'
  | 'create'
  | 'deleteById'
  | 'destroyAll'
  | 'destroyById'
  | 'emit'
  | 'find'
  | 'findById'
  | 'findOne'
  | 'findOrCreate'
  | 'getApp'
  | 'getIdName'
  | 'getPropertyType'
  | 'listeners'
  | 'observe'
  | 'on'
  | 'once'
  | 'removeAllListeners'
  | 'removeListener'
  | 'removeObserver'
  | 'save'
  | 'updateAttributes'
  | 'validate'
  | 'validateAsync'
  | 'validatesInclusionOf'
  | 'validatesLengthOf'
  | 'validatesPresenceOf'
type Loose = Record<Name, (...args: unknown[]) => unknown> &
  Readonly<Record<'dataSource' | 'app' | 'modelName' | 'pluralModelName' | 'settings' | 'definition', unknown>>

async function makeThing(t: Test, version: ModelRegistry['version'] = 3, definition: object = {}): Promise<Loose> {
  const thing = {
    name: 'Thing',
    properties: { label: { type: 'string' }, size: 'number', madeOn: 'date', tags: ['string'] },
    ...definition
  }
  const server = await bootApp(t, { 'common/models/thing.json': thing }, { version })
  return server.models.get('Thing') as unknown as Loose
}

const called = (method: (callback: (...args: unknown[]) => void) => unknown): Promise<unknown[]> =>
  new Promise((resolve) => {
    method((...args) => resolve(args))
  })

const slow = (ctx: { instance: { label: string } }, next: () => void): void => {
  setImmediate(() => {
    ctx.instance.label += '!'
    next()
  })
}

void t.test('tells what a model is', async (t) => {
  const Thing = await makeThing(t, 3, { own: 1 })
  const { modelName, pluralModelName, settings, definition } = Thing
  t.match(
    { modelName, pluralModelName, settings, definition },
    {
      modelName: 'Thing',
      pluralModelName: 'Things',
      settings: { own: 1 },
      definition: { name: 'Thing', settings: { own: 1 } }
    }
  )
  t.match(Thing.dataSource, { name: 'db', connector: { name: 'memory' }, settings: { connector: 'memory' } })
  t.strictSame(Object.keys((Thing.dataSource as { models: object }).models), ['Thing'])
  t.equal(Thing.getIdName(), 'id')
  t.strictSame(
    ['label', 'size', 'madeOn', 'tags', 'none'].map((name) => Thing.getPropertyType(name)),
    ['String', 'Number', 'Date', 'Array', undefined]
  )
  t.equal(await Thing.getApp(), Thing.app)
  t.strictSame(await called((callback) => Thing.getApp(callback)), [null, Thing.app])
})

void t.test('data access takes callbacks, with options before them, or gives promises', async (t) => {
  const Thing = await makeThing(t)
  const [error, made] = (await called((callback) => t.equal(Thing.create({ label: 'a' }, callback), undefined))) as [
    unknown,
    Loose
  ]
  t.equal(error, null)
  t.match(made, { label: 'a', id: 1 })
  t.match(await called((callback) => Thing.find(callback)), [null, [{ label: 'a' }]])
  t.match(await called((callback) => Thing.find({ where: { label: 'b' } }, callback)), [null, []])
  t.match(await called((callback) => Thing.findById(1, {}, { own: 1 }, callback)), [null, { label: 'a' }])
  t.match(await called((callback) => Thing.count({}, callback)), [null, 1])
  // LoopBack 3.28 takes what is falsy for no condition.
  for (const none of ['', null, false]) {
    t.match(await called((callback) => Thing.count(none, callback)), [null, 1])
    t.match(await called((callback) => Thing.find(none, callback)), [null, [{ label: 'a' }]])
    t.match(await called((callback) => Thing.findOne(none, callback)), [null, { label: 'a' }])
    t.match(await called((callback) => Thing.findById(1, none, callback)), [null, { label: 'a' }])
  }
  t.match(await called((callback) => Thing.findOrCreate({ where: { label: 'a' } }, { label: 'a' }, callback)), [
    null,
    { id: 1 },
    false
  ])
  t.match(await called((callback) => made.updateAttributes({ label: 'c' }, callback)), [null, { label: 'c' }])
  t.match(await called((callback) => made.save(callback)), [null, { label: 'c' }])
  t.match(await called((callback) => Thing.deleteById(1, callback)), [null, { count: 1 }])
  t.match(await Thing.find(), [])
})

void t.test('errors go to the callback', async (t) => {
  const Thing = await makeThing(t, 3, { strict: true })
  const [error, made] = await called((callback) => Thing.create({ other: 1 }, callback))
  t.match(error, { statusCode: 422 })
  t.equal(made, undefined)
  await t.rejects(Promise.resolve(Thing.create({ other: 1 })), { code: 'VALIDATION_FAILED' })
})

void t.test('in version 2 create returns the record at once when it has a callback', async (t) => {
  const Thing = await makeThing(t, 2)
  let one: unknown
  await called((callback) => (one = Thing.create({ label: 'a' }, callback)))
  t.match(one, { label: 'a', id: 1 })
  let several: unknown
  await called((callback) => (several = Thing.create([{ label: 'b' }, { label: 'c' }], callback)))
  t.match(several, [{ label: 'b' }, { label: 'c' }])
  let none: unknown
  await called((callback) => (none = Thing.create(callback)))
  t.ok(none)
})

void t.test('observers may take next, and can be removed again', async (t) => {
  const Thing = await makeThing(t)
  Thing.observe('before save', slow)
  t.match(await Thing.create({ label: 'a' }), { label: 'a!' })
  t.equal(Thing.removeObserver('before save', slow), true)
  t.match(await Thing.create({ label: 'b' }), { label: 'b' })
  Thing.observe('before save', (_ctx: unknown, next: (error: Error) => void) => next(new RangeError('no')))
  await t.rejects(Promise.resolve(Thing.create({})), RangeError)
  t.throws(() => Thing.observe('access', 'x'), { code: 'SCRIPT_ARGUMENT_INVALID' })
})

void t.test('every model has events of its own', async (t) => {
  const Thing = await makeThing(t)
  const heard: unknown[] = []
  const listener = (...args: unknown[]): void => void heard.push(...args)
  Thing.on('made', listener)
  Thing.once('made', listener)
  Thing.emit('made', 1, 2)
  Thing.emit('made', 3)
  t.strictSame(heard, [1, 2, 1, 2, 3])
  Thing.removeListener('made', listener)
  t.strictSame((Thing.listeners('made') as unknown[]).length, 0)
  Thing.on('other', listener)
  Thing.removeAllListeners()
  t.equal(Thing.emit('other'), false)
})

for (const version of [2, 3] as const)
  void t.test(`models emit the changes of records in version 2 alone: ${version}`, async (t) => {
    const Thing = await makeThing(t, version)
    const heard: unknown[] = []
    Thing.on('changed', (record: { label: string }) => heard.push(`changed ${record.label}`))
    Thing.on('deleted', (id: unknown) => heard.push(`deleted ${String(id)}`))
    Thing.on('deletedAll', (where: unknown) => heard.push(['all', where]))
    await Thing.create({ label: 'a' })
    await Thing.destroyById(1)
    await Thing.destroyAll({ label: 'x' })
    await Thing.destroyAll()
    const all = ['changed a', 'deleted 1', ['all', { id: 1 }], ['all', { label: 'x' }], ['all', undefined]]
    t.strictSame(heard, version === 2 ? all : [])
  })

void t.test('validations of all kinds', async (t) => {
  const Thing = await makeThing(t)
  Thing.validatesPresenceOf('label', 'size', { message: 'is needed' })
  Thing.validatesInclusionOf('label', { in: ['a', 'b'], allowBlank: true })
  Thing.validate(
    'size',
    function (this: { size: number }, err: () => void) {
      if (this.size > 9) err()
    },
    { message: 'too big' }
  )
  Thing.validateAsync('label', (_err: () => void, done: () => void) => done())
  const failed = async (data: object): Promise<unknown> => {
    const [error] = await called((callback) => Thing.create(data, callback))
    return (error as { details: { codes: object } }).details.codes
  }
  t.strictSame(await failed({}), { label: ['presence'], size: ['presence'] })
  t.strictSame(await failed({ label: 'c', size: 10 }), { label: ['inclusion'], size: ['custom'] })
  t.throws(() => Thing.validatesLengthOf({ min: 1 }), { code: 'SCRIPT_ARGUMENT_INVALID' })
  t.throws(() => Thing.validate('size'), { code: 'SCRIPT_ARGUMENT_INVALID' })
})
