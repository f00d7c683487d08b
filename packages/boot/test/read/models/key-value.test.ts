import t from 'tap'
import { bootApp, type Files, notesOf } from '../../make-app.ts'

const files: Files = {
  'server/config.json': { restApiRoot: '/api', remoting: { cors: false } },
  'server/datasources.json': { db: { connector: 'memory' }, cache: { connector: 'kv-memory' } },
  'server/model-config.json': {
    _meta: { sources: ['../common/models'] },
    Cache: { dataSource: 'cache', public: true }
  },
  'common/models/thing.json': undefined,
  'common/models/cache.json': { name: 'Cache', base: 'KeyValueModel' },
  'common/models/cache.js': `module.exports = (Cache) => {
    Cache.later = (key, done) => Cache.set(key, 'later', 60000, (error) => {
      if (error) return done(error)
      Cache.ttl(key, (wrong, left) => Cache.iterateKeys({ match: '*' }).next((odd, first) =>
        Cache.get(key).then((value) => done(null, [wrong, odd, left > 50000, first, value]), done)))
    })
    Cache.remoteMethod('later', { accepts: { arg: 'key', type: 'string' }, returns: { arg: 'seen', root: true, type: 'array' }, http: { verb: 'get', path: '/scripts/later' } })
  }`
}

t.test('models of KeyValueModel are served', async (t) => {
  const app = await bootApp(t, files)
  t.strictSame(notesOf(app), [])
  const put = await app.inject({ method: 'PUT', url: '/api/Caches/a?ttl=60000', payload: { x: 1 } })
  t.equal(put.statusCode, 204)
  t.strictSame((await app.inject('/api/Caches/a')).json(), { x: 1 })
  t.strictSame((await app.inject('/api/Caches/keys')).json(), ['a'])
  t.strictSame((await app.inject('/api/Caches/none')).json(), {
    error: { statusCode: 404, name: 'Error', message: 'Unknown "Cache" key "none".', code: 'KEY_NOT_FOUND' }
  })
  t.strictSame((await app.inject('/api/Caches/none/ttl')).json(), {
    error: { statusCode: 404, name: 'Error', message: 'Cannot get TTL for unknown key "none"' }
  })
})

t.test('their scripts use callbacks or promises', async (t) => {
  const app = await bootApp(t, files)
  t.strictSame((await app.inject('/api/Caches/scripts/later?key=a')).json(), [null, null, true, 'a', 'later'])
})

t.test('the connector of Redis is a package', async (t) => {
  const app = await bootApp(t, { ...files, 'server/datasources.json': { cache: { connector: 'kv-redis' } } })
  t.match(JSON.stringify(app.bootReport.notes), /install @modelwire\/redis/)
  t.equal((await app.inject('/api/Caches/a')).statusCode, 501)
})
