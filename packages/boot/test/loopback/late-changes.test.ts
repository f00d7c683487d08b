import t from 'tap'
import type { Test } from 'tap'
import { bootApp } from '../make-app.ts'

/** What code that runs once routes are mounted is refused with, or else the warnings of it, and what clients get then. */
async function changeLate(
  t: Test,
  code: string,
  url: string
): Promise<{ told: unknown; status: number; body: string }> {
  const lines: { msg: string }[] = []
  const stream = { write: (line: string): void => void lines.push(JSON.parse(line) as { msg: string }) }
  const script = `module.exports = (app) => app.set('late', () => { const { Thing } = app.models; ${code} })`
  const server = await bootApp(t, { 'server/boot/late.js': script }, { logger: { level: 'warn', stream } })
  lines.length = 0
  const late = server.loopback.get('late') as () => void // the script sets it
  let told: unknown
  try {
    late()
    told = lines.map(({ msg }) => msg).join()
  } catch (error) {
    told = Reflect.get(Object(error), 'code')
  }
  const { statusCode: status, body } = await server.inject(url)
  return { told, status, body }
}

const refused: readonly (readonly [what: string, code: string])[] = [
  ['remoteMethod', "Thing.hi = (cb) => cb(null, 1); Thing.remoteMethod('hi', { http: { verb: 'get' } })"],
  ['disableRemoteMethodByName', "Thing.disableRemoteMethodByName('find')"],
  ['disableRemoteMethod', "Thing.disableRemoteMethod('find', true)"],
  ['sharedClass.disableMethodByName', "Thing.sharedClass.disableMethodByName('find')"],
  ['sharedClass.defineMethod', "Thing.sharedClass.defineMethod('hi', {})"],
  ['beforeRemote', "Thing.beforeRemote('find', () => {})"],
  ['a model', "app.registry.createModel('Late')"],
  ['a property', "Thing.defineProperty('late', { type: 'string' })"],
  ['a relation', "Thing.belongsTo(Thing, { as: 'parent' })"]
]
for (const [what, code] of refused)
  t.test(`${what} is refused once routes are mounted`, async (t) => {
    t.match(await changeLate(t, code, '/api/Things'), { told: 'REGISTRY_SEALED', status: 200, body: '[]' })
  })

for (const [what, code, name] of [
  ['a method', 'Thing.find = () => Promise.resolve([1])', 'Thing.find'],
  ['a method by its alias', 'Thing.updateAll = () => {}', 'Thing.updateAll'],
  ['a method of records', 'Thing.prototype.patchAttributes = () => {}', 'Thing.prototype.patchAttributes']
] as const)
  t.test(`${what} that is replaced then is told: clients get the former one`, async (t) => {
    const { told, body } = await changeLate(t, code, '/api/Things')
    t.match(told, `${name} was replaced after the routes were mounted`)
    t.equal(body, '[]')
  })

t.test('a method that the application replaced before may be replaced again', async (t) => {
  const server = await bootApp(t, {
    'common/models/thing.js': 'module.exports = (Thing) => { Thing.find = () => Promise.resolve([1]) }',
    'server/boot/late.js': `module.exports = (app) =>
      app.on('again', () => { app.models.Thing.find = () => Promise.resolve([2]) })`
  })
  t.equal((await server.inject('/api/Things')).body, '[1]')
  server.loopback.emit('again')
  t.equal((await server.inject('/api/Things')).body, '[2]')
})

t.test('observers and rules work whenever they are added', async (t) => {
  const add = `Thing.observe('access', (context, next) => next(Object.assign(new Error('late'), { statusCode: 418 })))`
  t.match(await changeLate(t, add, '/api/Things'), { told: '', status: 418 })
})
