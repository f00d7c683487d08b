import { EventEmitter, once } from 'node:events'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '@modelwire/test-waits'
import t from 'tap'
import { makeFolder } from '../make-folder.ts'
import { openApp, startFront, startOld, stateFile } from './front.ts'

const counted = (compared: number) => (route: { equal: number }) => route.equal >= compared

t.test(
  'a route is handed over and back for requests that begin then; those under way finish where they began',
  async (t) => {
    const events = new EventEmitter()
    const [asked, gate] = [once(events, 'asked'), once(events, 'go')]
    const old = await startOld(t, (server) => {
      server.get('/api/Notes/findOne', async () => {
        events.emit('asked')
        await gate
        return { id: 'old' }
      })
    })
    const { url, give, route } = await startFront(t, old.url)
    const slow = fetch(`${url}/api/Notes/findOne`)
    await asked
    t.match(await give('new', 'Note.findOne'), { status: 200, json: { changed: ['Note.findOne'] } })
    t.equal((await fetch(`${url}/api/Notes/findOne`)).status, 404, 'Modelwire has no note')
    events.emit('go')
    t.same(await (await slow).json(), { id: 'old' })
    t.match(await route('Note.findOne'), { owner: 'new', cause: 'command', answered: { old: 1, new: 1 } })
    t.match(await give('old', 'Note.findOne'), { json: { changed: ['Note.findOne'] } })
    t.equal((await route('Note.findOne')).owner, 'old')
    t.same(await (await fetch(`${url}/api/Notes/findOne`)).json(), { id: 'old' })
  }
)

t.test('requests that run while routes go to and fro are all answered', async (t) => {
  const old = await startOld(t)
  const { url, give } = await startFront(t, old.url, { sample: '0' })
  const clients = { left: true }
  const move = async (): Promise<void> => {
    for (let at = 0; clients.left; at += 1) await give(at % 2 === 0 ? 'new' : 'old', 'Note.*')
  }
  const moving = move()
  const statuses = new Set<number>()
  for (let sent = 0; sent < 400; sent += 20)
    await Promise.all(Array.from({ length: 20 }, async () => statuses.add((await fetch(`${url}/api/Notes`)).status)))
  clients.left = false
  await moving
  t.same([...statuses], [200])
})

t.test('a preflight goes where the request goes that it is about', async (t) => {
  const old = await startOld(t)
  const { url, give } = await startFront(t, old.url)
  await give('new', 'Note.create')
  const preflight = async (method: string): Promise<number> => {
    const headers = { origin: 'http://a.example', 'access-control-request-method': method }
    return (await fetch(`${url}/api/Notes`, { method: 'OPTIONS', headers })).status
  }
  const before = old.asked.length
  await preflight('POST')
  t.equal(old.asked.length, before)
  await preflight('GET')
  t.equal(old.asked.length, before + 1)
})

t.test('--after hands over what was answered alike so often, but not what was handed back', async (t) => {
  const old = await startOld(t)
  const { url, give, route } = await startFront(t, old.url, { after: '2' })
  await fetch(`${url}/api/Notes`)
  t.equal((await route('Note.find', counted(1))).owner, 'old')
  await fetch(`${url}/api/Notes`)
  t.match(await route('Note.find', ({ owner }) => owner === 'new'), { cause: 'equal answers' })
  await give('old', 'Note.find')
  for (const at of [3, 4, 5]) {
    await fetch(`${url}/api/Notes`)
    t.equal((await route('Note.find', counted(at))).owner, 'old')
  }
  t.equal((await route('Note.count')).owner, 'old')
})

t.test('a route whose answer is an error of ours goes back, unless the old server fails as well', async (t) => {
  process.env['BROKEN_NOTES'] = '1'
  t.teardown(() => delete process.env['BROKEN_NOTES'])
  let status = 500
  const old = await startOld(t, (server) => {
    server.addHook('onRequest', async (request, reply) => {
      if (request.url.includes('count')) await reply.code(status).send({ count: 0 })
    })
  })
  const { url, give, route } = await startFront(t, old.url, { sample: '0' })
  await give('new', 'Note.count')
  t.equal((await fetch(`${url}/api/Notes/count`)).status, 500)
  await until(() => old.asked.length > 0, 'the old server to be asked')
  t.match(await route('Note.count', ({ serverErrors }) => serverErrors === 1), { owner: 'new' })
  status = 200
  for (;;) {
    await fetch(`${url}/api/Notes/count`)
    if ((await route('Note.count')).owner === 'old') break
  }
  t.match(await route('Note.count'), { cause: 'error', held: true })
  await give('new', 'Note.shout')
  const before = old.asked.length
  t.equal((await fetch(`${url}/api/Notes/shout`)).status, 500)
  t.match(await route('Note.shout', ({ owner }) => owner === 'old'), { cause: 'error' })
  t.equal(old.asked.length, before, 'what may have side effects is asked of nobody twice')
  const calm = await startFront(t, old.url, { sample: '0', handBackOnError: false })
  await calm.give('new', 'Note.count')
  t.equal((await fetch(`${calm.url}/api/Notes/count`)).status, 500)
  t.match(await calm.route('Note.count'), { owner: 'new', serverErrors: 0 })
})

const searchApp = {
  ...openApp,
  'common/models/note.js': `module.exports = (Note) => {
    Note.search = (words, done) => done(new Error('broken'))
    Note.remoteMethod('search', { accepts: { arg: 'words', type: 'object', http: { source: 'body' } }, returns: { root: true } })
  }`
}

t.test('a read that has a body goes back at once: it is not kept to be sent again', async (t) => {
  const old = await startOld(t)
  const front = await startFront(t, old.url, { dir: makeFolder(t, searchApp), reads: ['Note.search'] })
  await front.give('new', 'Note.search')
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${front.url}/api/Notes/search`, { method: 'POST', headers, body: '{"a":1}' })
  t.equal(answer.status, 500)
  t.match(await front.route('Note.search', ({ owner }) => owner === 'old'), { cause: 'error', reads: true })
  t.same(old.asked, [], 'the old server was asked nothing')
})

t.test('what was handed over is so after a restart, and is kept for routes that are missing meanwhile', async (t) => {
  const old = await startOld(t)
  const dir = makeFolder(t, openApp)
  const first = await startFront(t, old.url, { dir })
  await first.give('new', 'GET /api/Notes', 'Note.count')
  await first.give('old', 'Note.count')
  t.equal(statSync(stateFile(dir)).mode & 0o777, 0o600)
  await first.close()
  const saved = JSON.parse(readFileSync(stateFile(dir), 'utf8')) as { routes: Record<string, object> }
  t.match(saved, { version: 1, routes: { 'Note.find': { owner: 'new' }, 'Note.count': { owner: 'old', held: true } } })
  saved.routes['Gone.find'] = { owner: 'new', since: '2026-01-01T00:00:00.000Z', cause: 'command', held: false }
  writeFileSync(stateFile(dir), JSON.stringify(saved))
  const second = await startFront(t, old.url, { dir })
  t.match(await second.route('Note.find'), { owner: 'new', cause: 'command' })
  t.match(await second.route('Note.count'), { owner: 'old', held: true })
  await second.give('new', 'Note.exists')
  t.match(JSON.parse(readFileSync(stateFile(dir), 'utf8')), { routes: { 'Gone.find': {}, 'Note.exists': {} } })
  t.equal(readFileSync(join(dir, '.modelwire/.gitignore'), 'utf8'), '*\n')
})

t.test('a state that cannot be read stops the start; one that cannot be written is told', async (t) => {
  const old = await startOld(t)
  const dir = makeFolder(t, { ...openApp, '.modelwire/behind.json': '{"version":1,"routes":{"a":{"owner":"me"}}}' })
  await t.rejects(startFront(t, old.url, { dir }), { code: 'STATE_UNREADABLE' })
  writeFileSync(stateFile(dir), '{')
  await t.rejects(startFront(t, old.url, { dir }), { code: 'STATE_UNREADABLE' })
  rmSync(stateFile(dir))
  const state = join(dir, 'server/config.json/behind.json')
  await t.rejects(startFront(t, old.url, { dir, state }), { code: 'STATE_UNREADABLE' })
  const front = await startFront(t, old.url, { dir })
  rmSync(join(dir, '.modelwire'), { recursive: true })
  writeFileSync(join(dir, '.modelwire'), '')
  t.match(await front.give('new', 'Note.find'), { status: 500, json: { error: { code: 'HANDOVER_NOT_SAVED' } } })
  t.equal((await front.route('Note.find')).owner, 'new', 'it is done all the same')
  t.notOk(existsSync(state))
})
