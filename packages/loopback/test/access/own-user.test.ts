import t from 'tap'
import { bootApp, type Files } from '../make-app.ts'

const properties = { name: 'string', email: 'string', password: 'string' }

const files: Files = {
  'common/models/user.json': { name: 'User', base: 'PersistedModel', properties },
  'common/models/customer.json': { name: 'Customer', base: 'User' },
  'server/model-config.json': {
    _meta: { sources: ['../common/models'] },
    AccessToken: { dataSource: 'db', public: false },
    User: { dataSource: 'db', public: true },
    Customer: { dataSource: 'db', public: true }
  }
}

// LB3: as measured with LoopBack 3.28: the built-in model is replaced, whatever `base` the new one has.
void t.test('a model of the application called User is a plain one, and so are those that extend it', async (t) => {
  const server = await bootApp(t, files)
  for (const url of ['/api/Users', '/api/Customers']) {
    const created = await server.inject({ method: 'POST', url, payload: { email: 'no address', password: 'plain' } })
    t.strictSame(created.json(), { email: 'no address', password: 'plain', id: 1 }, url)
    const login = { method: 'POST', url: `${url}/login`, payload: { email: 'no address', password: 'plain' } } as const
    t.equal((await server.inject(login)).statusCode, 404, url)
  }
})

void t.test('the report tells that such a model has no accounts', async (t) => {
  const { bootReport } = await bootApp(t, files)
  const note = bootReport.notes.find(({ reason }) => reason.includes('does not hash passwords'))
  t.match(note, { level: 'info', file: 'common/models/user.json' })
})

void t.test('a model of another name that extends the built-in User keeps its accounts', async (t) => {
  const { 'common/models/user.json': _own, ...others } = files
  const server = await bootApp(t, others)
  const payload = { email: 'ann@shop.org', password: 'secret' }
  t.equal((await server.inject({ method: 'POST', url: '/api/Customers', payload })).statusCode, 200)
  t.equal((await server.inject({ method: 'POST', url: '/api/Customers/login', payload })).statusCode, 200)
})
