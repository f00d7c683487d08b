import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { createOwnApplication } from '#src/assemble/server/own-server.ts'
import { makeFolder } from '../make-app.ts'

/** The address of an application that code makes, and that has the server listen that `app.listen()` gave. */
async function start(t: Test, make: (app: ReturnType<typeof createOwnApplication>['app']) => void): Promise<string> {
  const dir = await makeFolder(t, { 'package.json': '{}' })
  const application = createOwnApplication({ dir, logger: false })
  const { app } = application
  app.dataSource('db', { connector: 'memory' })
  make(app)
  app.use(app.handler('rest'))
  const server = app.listen(0, '127.0.0.1')
  t.teardown(() => application.server.close())
  // As supertest does with a server that does not listen yet.
  if (!server.listening) server.listen(0, '127.0.0.1')
  if (!server.listening) await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port
}

// What LoopBack 3.28 answers at /UserAccounts, /user-accounts, /UserAccounts/1/userRoles, /user-accounts/1/user-roles, /UserRoles, /user-roles.
const paths: readonly (readonly [
  setting: boolean | undefined,
  own: boolean | undefined,
  statuses: readonly number[]
])[] = [
  [undefined, undefined, [200, 404, 200, 404, 200, 404]],
  [true, undefined, [404, 200, 404, 200, 404, 200]],
  [false, true, [404, 200, 404, 200, 200, 404]],
  [true, false, [200, 404, 200, 404, 404, 200]],
  [undefined, true, [404, 200, 404, 200, 200, 404]]
]

for (const [setting, own, expected] of paths) {
  void t.test(`remoting that code sets counts, and that of a model more: ${setting}, ${own}`, async (t) => {
    const url = await start(t, (app) => {
      if (setting !== undefined) app.set('remoting', { rest: { normalizeHttpPath: setting } })
      const settings = own === undefined ? {} : { remoting: { normalizeHttpPath: own } }
      const Account = app.registry.createModel('UserAccount', {}, settings)
      const Role = app.registry.createModel('UserRole')
      for (const model of [Account, Role]) app.model(model, { dataSource: 'db' })
      ;(Reflect.get(Account, 'hasMany') as (other: unknown) => void).call(Account, Role) // as scripts find it
      void Account.create({})
    })
    const found = []
    for (const path of ['UserAccounts', 'user-accounts', 'UserAccounts/1/userRoles', 'user-accounts/1/user-roles'])
      found.push((await fetch(`${url}/${path}`)).status)
    for (const path of ['UserRoles', 'user-roles']) found.push((await fetch(`${url}/${path}`)).status)
    t.strictSame(found, expected)
  })
}

// LoopBack 3.28 answers the same.
void t.test('limits and the telling of errors are those that code sets', async (t) => {
  const url = await start(t, (app) => {
    app.set('remoting', { json: { limit: '20b' }, errorHandler: { debug: true, log: false } })
    app.model(app.registry.createModel('Thing'), { dataSource: 'db' })
  })
  const headers = { 'content-type': 'application/json' }
  t.equal((await fetch(`${url}/Things`, { method: 'POST', headers, body: `{"a":"${'x'.repeat(50)}"}` })).status, 413)
  const { error } = (await (await fetch(`${url}/Things/7`)).json()) as { error: object }
  t.ok('stack' in error)
})

// LoopBack 3.28 answers the same.
void t.test('a method that is handed the request reads bodies of any other type by itself', async (t) => {
  const url = await start(t, (app) => {
    const Thing = app.registry.createModel('Thing')
    app.model(Thing, { dataSource: 'db' })
    const read = async (request: AsyncIterable<Buffer>): Promise<string> => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part)
      return String(Buffer.concat(parts))
    }
    Object.assign(Thing, { read, ignore: async () => 'nothing' })
    const remoteMethod = Reflect.get(Thing, 'remoteMethod') as (name: string, spec: object) => void // as scripts find it
    const returns = { arg: 'text', type: 'string' }
    remoteMethod.call(Thing, 'read', { accepts: { arg: 'req', type: 'object', http: { source: 'req' } }, returns })
    remoteMethod.call(Thing, 'ignore', { returns })
  })
  for (const type of ['image/png', 'text/plain', 'application/octet-stream']) {
    const send = async (path: string): Promise<Response> =>
      fetch(`${url}/Things/${path}`, { method: 'POST', headers: { 'content-type': type }, body: 'X' })
    t.strictSame(await (await send('read')).json(), { text: 'X' }, type)
    t.equal((await send('ignore')).status, 415, 'bodies that nobody reads are refused, unlike in LoopBack')
  }
})
