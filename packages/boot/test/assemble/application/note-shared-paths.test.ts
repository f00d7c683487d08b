import t from 'tap'
import { bootApp, notesOf } from '../../make-app.ts'

void t.test('a model behind another one is told, and the first one answers', async (t) => {
  const server = await bootApp(t, {
    'server/model-config.json': {
      _meta: { sources: ['../common/models'] },
      Thing: { dataSource: 'db', public: true },
      Other: { dataSource: 'db', public: true }
    },
    'common/models/other.json': { name: 'Other', plural: 'Things', properties: {} },
    'common/models/other.js': `module.exports = Other => {
      Other.hello = async () => 'hello'
      Other.remoteMethod('hello', { returns: { arg: 'say' }, http: { verb: 'post', path: '/hello' } })
    }`,
    'server/boot/fill.js': "module.exports = app => app.models.Thing.create({ label: 'a' })"
  })
  t.match((await server.inject('/api/Things')).json(), [{ label: 'a' }])
  t.same((await server.inject({ method: 'POST', url: '/api/Things/hello' })).json(), { say: 'hello' })
  t.match(notesOf(server), [/^common\/models\/other\.json: http\.path: Thing is also at \/Things/])
})
