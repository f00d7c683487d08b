import t from 'tap'
import { bootApp, notesOf } from '../../make-app.ts'

const remoting = (sharedMethods: object): object => ({ remoting: { sharedMethods } })

void t.test('names of methods that exist are not told', async (t) => {
  const names = { '*': false, find: true, deleteById: true, 'prototype.patchAttributes': false, own: true }
  const server = await bootApp(t, {
    'server/config.json': remoting({ count: false, own: true }),
    'server/model-config.json': {
      _meta: { sources: ['../common/models'] },
      Thing: { dataSource: 'db', public: true, options: remoting(names) }
    },
    'common/models/thing.js': 'module.exports = Thing => { Thing.own = async () => 1; Thing.remoteMethod("own", {}) }'
  })
  t.strictSame(notesOf(server), [])
})

void t.test('names that mean no method are', async (t) => {
  const parts = { type: 'hasMany', model: 'Thing', foreignKey: 'wholeId' }
  const server = await bootApp(t, {
    'common/models/thing.json': { name: 'Thing', properties: { label: 'string' }, relations: { parts } },
    'server/config.json': remoting({ nothing: false }),
    'server/model-config.json': {
      _meta: { sources: ['../common/models'] },
      Thing: { dataSource: 'db', public: true, options: remoting({ __get__parts: false }) }
    }
  })
  t.match(notesOf(server), [
    /Thing\.options\.remoting\.sharedMethods\.__get__parts: .*prototype\./,
    /config\.json: remoting\.sharedMethods\.nothing: unknown method/
  ])
})

void t.test('isStatic is told in version 3 and works in both', async (t) => {
  const script = `module.exports = Thing => {
    Thing.prototype.name = async function () { return this.label }
    Thing.remoteMethod('name', { isStatic: false, returns: { arg: 'name' }, http: { verb: 'get' } })
  }`
  for (const version of [2, 3] as const) {
    const server = await bootApp(t, { 'common/models/thing.js': script }, { version })
    await server.inject({ method: 'POST', url: '/api/Things', payload: { label: 'x' } })
    t.strictSame((await server.inject('/api/Things/1/name')).json(), { name: 'x' })
    t.equal(
      notesOf(server).some((note) => note.includes('isStatic')),
      version === 3
    )
  }
})

void t.test('an alias in sharedMethods is told with the name that counts', async (t) => {
  const server = await bootApp(t, {
    'server/config.json': remoting({ upsert: false, 'prototype.updateAttributes': false, updateAttributes: false })
  })
  t.match(notesOf(server), [
    /upsert: .*patchOrCreate$/,
    /prototype\.updateAttributes: .*prototype\.patchAttributes$/,
    /sharedMethods\.updateAttributes: .* called prototype\.patchAttributes$/
  ])
})
