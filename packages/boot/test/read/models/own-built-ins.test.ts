import t from 'tap'
import { bootApp } from '../../make-app.ts'

const stored = { dataSource: 'db', public: true }
const sources = { _meta: { sources: ['../common/models'] } }
const auth = 'module.exports = (app) => app.enableAuth()'

void t.test('a file named like a built-in model counts where it is configured', async (t) => {
  for (const name of ['Role', 'ACL', 'User']) {
    const server = await bootApp(t, {
      'common/models/own.json': { name, plural: 'owns', properties: { mark: 'string' } },
      'server/model-config.json': { ...sources, [name]: stored, Thing: stored }
    })
    const created = await server.inject({ method: 'POST', url: '/api/owns', payload: { mark: 'x' } })
    t.strictSame(created.json(), { mark: 'x', id: 1 }, name)
  }
})

void t.test('a file named like a built-in model counts where a model extends it', async (t) => {
  const server = await bootApp(t, {
    'common/models/user.json': { name: 'User', properties: { mark: { type: 'string', default: 'own' } } },
    'common/models/person.json': { name: 'Person', base: 'User' },
    'server/model-config.json': { ...sources, Person: stored }
  })
  const created = await server.inject({ method: 'POST', url: '/api/People', payload: {} })
  t.strictSame(created.json(), { mark: 'own', id: 1 })
})

void t.test('a file that nothing uses leaves the built-in model as it is', async (t) => {
  const server = await bootApp(t, {
    'common/models/user.json': { name: 'User', base: 'PersistedModel', properties: { mark: 'string' } },
    'common/models/role.json': { name: 'Role', base: 'PersistedModel', properties: { mark: 'string' } },
    'server/model-config.json': { ...sources, AccessToken: stored, Thing: stored },
    'server/boot/a.js': auth
  })
  const { User, Role } = server.loopback.loopback as unknown as Record<string, { definition: { properties: object } }> // as scripts see them
  t.hasProps(User?.definition.properties ?? {}, ['email', 'password'])
  t.hasProps(Role?.definition.properties ?? {}, ['name'])
  t.equal((await server.inject('/api/Things')).statusCode, 200)
})
