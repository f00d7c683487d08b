import { createServer } from '@modelwire/boot'
import t from 'tap'
import { noteApp } from '../make-folder.ts'
import { makeSqliteApp } from '../make-sqlite-app.ts'
import { startFront } from './front.ts'

const files = {
  ...noteApp,
  'server/model-config.json': {
    _meta: { sources: ['../common/models'] },
    Member: { dataSource: 'db', public: true },
    AccessToken: { dataSource: 'db', public: false },
    Note: { dataSource: 'db', public: true }
  },
  'common/models/member.json': { name: 'Member', base: 'User' },
  'server/boot/tables.js': 'module.exports = (app, done) => app.dataSources.db.autoupdate(done)\n'
}

async function send(url: string, path: string, body?: object, token?: string): Promise<Record<string, unknown>> {
  const answer = await fetch(`${url}/api${path}`, {
    headers: { ...(body && { 'content-type': 'application/json' }), ...(token && { authorization: token }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) })
  })
  const text = await answer.text()
  return { status: answer.status, ...(text === '' ? {} : (JSON.parse(text) as object)) }
}

t.test('on one database records, logins and logouts of one side count on the other at once', async (t) => {
  const dir = makeSqliteApp(t, files)
  const old = await createServer({ dir })
  t.teardown(() => old.close())
  const oldUrl = await old.listen({ host: '127.0.0.1', port: 0 })
  const front = await startFront(t, oldUrl, { dir })
  const account = { email: 'a@b.org', password: 'secret' }
  const { id } = await send(front.url, '/Members', account)
  const { id: token } = await send(front.url, '/Members/login', account)
  const path = `/Members/${String(id)}`
  await front.give('new', 'Member.*')
  t.match(await send(front.url, path, undefined, String(token)), { status: 200, email: 'a@b.org' })
  const { id: second } = await send(front.url, '/Members/login', account)
  t.match(await send(oldUrl, path, undefined, String(second)), { status: 200 })
  t.equal((await send(oldUrl, '/Members/logout', {}, String(token)))['status'], 204)
  t.match(await send(front.url, path, undefined, String(token)), { status: 401 })
  await front.route('Member.findById', ({ equal }) => equal > 1)
  t.match(await front.route('Member.findById'), { different: 0 })
})
