import { gzipSync } from 'node:zlib'
import t from 'tap'
import { type Front, startFront, startOld } from './front.ts'

const counted = (compared: number) => (route: { equal: number; different: number }) =>
  route.equal + route.different >= compared

async function post(url: string, text: string): Promise<void> {
  await fetch(`${url}/api/Notes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text })
  })
}

/** Both sides have one note. */
async function withNote(t: Parameters<typeof startOld>[0], flags: Parameters<typeof startFront>[2] = {}) {
  const old = await startOld(t)
  const front = await startFront(t, old.url, flags)
  await front.give('new', 'Note.create')
  await post(front.url, 'a')
  old.rows = [{ id: 1, text: 'a' }]
  return { old, front }
}

t.test('reads are asked of both sides and compared; the client gets the answer of the owner', async (t) => {
  const { old, front } = await withNote(t)
  t.same(await (await fetch(`${front.url}/api/Notes`)).json(), [{ id: 1, text: 'a' }])
  t.match(await front.route('Note.find', counted(1)), { equal: 1, different: 0 })
  old.rows = [{ id: 1, text: 'b' }]
  const asked = await fetch(`${front.url}/api/Notes?access_token=secret`, { headers: { authorization: 'secret-too' } })
  t.same(await asked.json(), [{ id: 1, text: 'b' }], 'the old server owns the route')
  t.match(await front.route('Note.find', counted(2)), { equal: 1, different: 1, answered: { old: 2, new: 0 } })
  await front.give('new', 'Note.find')
  t.same(await (await fetch(`${front.url}/api/Notes`)).json(), [{ id: 1, text: 'a' }])
  t.match(await front.route('Note.find', counted(3)), { different: 2, answered: { old: 2, new: 1 } })
  const { json } = await front.control('/differences')
  t.match(json['groups'], [
    { route: 'Note.find', kind: 'value', where: '/*/text', requests: 2, example: { new: { status: 200 } } }
  ])
  t.match(json['latest'], [
    {},
    {
      route: 'Note.find',
      request: { path: '/api/Notes?access_token=…', headers: { authorization: '…' } },
      old: { status: 200, text: '[{"id":1,"text":"b"}]' },
      new: { status: 200, text: /"text":"a"/ },
      differences: [{ where: '/0/text', old: 'b', new: 'a' }]
    }
  ])
})

t.test('no secret of an answer is shown', async (t) => {
  const { old, front } = await withNote(t)
  const token = 'Ab'.repeat(32)
  old.rows = [{ id: token, text: `see ${token}`, password: 'geheim', nested: { access_token: 'geheim' } }]
  await fetch(`${front.url}/api/Notes`)
  await front.route('Note.find', counted(1))
  const shown = JSON.stringify((await front.control('/differences')).json)
  t.notMatch(shown, /geheim|AbAb/)
  t.match(shown, /see …/)
})

t.test('what differs below the field of a secret is one, too', async (t) => {
  const { old, front } = await withNote(t)
  old.rows = [{ id: 1, text: 'a', password: ['geheim'], token: { value: 'geheim' } }]
  await fetch(`${front.url}/api/Notes`)
  await front.route('Note.find', counted(1))
  old.rows = { token: { value: 'geheim' }, list: [{ cookie: { value: 'geheim' } }] }
  await fetch(`${front.url}/api/Notes`)
  await front.route('Note.find', counted(2))
  t.notMatch(JSON.stringify((await front.control('/differences')).json), /geheim/)
})

t.test('answers are compared whole, whatever the client had or took', async (t) => {
  const old = await startOld(t, (server) => {
    server.get('/api/Notes/findOne', async ({ headers }, reply) => {
      if (headers['if-none-match'] === 'x') return reply.code(304).send()
      if (headers['accept-encoding'] === undefined) return { id: 1 }
      return reply.type('application/json; charset=utf-8').header('content-encoding', 'gzip').send(gzipSync('{"id":2}'))
    })
  })
  const front = await startFront(t, old.url)
  t.equal((await fetch(`${front.url}/api/Notes/findOne`, { headers: { 'if-none-match': 'x' } })).status, 304)
  t.match(await front.route('Note.findOne', counted(1)), { different: 1 })
  t.same(await (await fetch(`${front.url}/api/Notes/findOne`)).json(), { id: 2 }, 'encoded as it came')
  await front.route('Note.findOne', ({ different, notCompared }) => different + (notCompared['changing'] ?? 0) > 1)
  t.notOk('if-none-match' in (old.asked.at(-1)?.headers ?? {}))
  t.equal(old.asked.at(-1)?.headers['x-modelwire-comparison'], '1')
})

t.test('what has side effects is sent to the owner alone', async (t) => {
  const { old, front } = await withNote(t)
  const before = old.asked.length
  await post(front.url, 'b')
  await fetch(`${front.url}/api/Notes/shout`)
  await fetch(`${front.url}/api/Notes/1`, { method: 'DELETE' })
  await fetch(`${front.url}/api/Notes/change-stream`)
  t.same(
    old.asked.slice(before).map(({ method, url }) => `${method} ${url}`),
    ['GET /api/Notes/shout', 'DELETE /api/Notes/1', 'GET /api/Notes/change-stream']
  )
  t.match(await front.route('Note.shout'), { reads: false, equal: 0, different: 0 })
})

t.test('--reads names methods of the application that only read', async (t) => {
  const { old, front } = await withNote(t, { reads: ['Note.shout'] })
  old.rows = []
  await fetch(`${front.url}/api/Notes/shout`)
  t.match(await front.route('Note.shout', counted(1)), { reads: true, different: 1 })
  await t.rejects(startFront(t, old.url, { reads: ['Note.nothing'] }), { code: 'USAGE' })
})

const reasonOf = async (front: Front, reason: string): Promise<unknown> =>
  (await front.route('Note.find', ({ notCompared }) => (notCompared[reason] ?? 0) > 0)).notCompared[reason]

t.test('what is not compared is counted by its reason', async (t) => {
  const large = await withNote(t, { compareLimit: '10' })
  await fetch(`${large.front.url}/api/Notes`)
  t.equal(await reasonOf(large.front, 'large'), 1)
  const sampled = await withNote(t, { sample: '0' })
  await fetch(`${sampled.front.url}/api/Notes`)
  t.equal(await reasonOf(sampled.front, 'sampled'), 1)
  const changing = await withNote(t)
  changing.old.before = () => {
    changing.old.rows = [{ id: changing.old.asked.length }]
  }
  await fetch(`${changing.front.url}/api/Notes`)
  t.equal(await reasonOf(changing.front, 'changing'), 1)
  const alone = await withNote(t)
  await alone.front.give('new', 'Note.find')
  await alone.old.server.close()
  const logged: unknown[] = []
  alone.front.server.log.warn = (...facts: readonly unknown[]) => void logged.push(facts)
  t.equal((await fetch(`${alone.front.url}/api/Notes`)).status, 200)
  t.equal(await reasonOf(alone.front, 'unanswered'), 1)
  t.match(logged, [[{ err: { code: 'ECONNREFUSED' }, route: 'Note.find' }, 'answers could not be compared']])
})

t.test('the other side delays nothing; what does not fit in the queue is dropped and counted', async (t) => {
  const { old, front } = await withNote(t)
  await front.give('new', 'Note.find')
  old.before = async () => new Promise(() => {})
  for (let sent = 0; sent < 300; sent += 50)
    await Promise.all(
      Array.from({ length: 50 }, async () => {
        t.equal((await fetch(`${front.url}/api/Notes`)).status, 200)
      })
    )
  // Four at once and two hundred that wait.
  t.equal(await reasonOf(front, 'busy'), 96)
  await old.server.close()
})

t.test('a record that changes between the two answers is no difference', async (t) => {
  const { old, front } = await withNote(t)
  old.rows = [{ id: 1, text: 'b' }]
  let times = 0
  old.before = () => {
    times += 1
    if (times === 2) old.rows = [{ id: 1, text: 'a' }]
  }
  await fetch(`${front.url}/api/Notes`)
  t.match(await front.route('Note.find', counted(1)), { equal: 1, different: 0 })
})

t.test('places that are ignored may differ', async (t) => {
  const { old, front } = await withNote(t, { ignore: ['/*/text'] })
  old.rows = [{ id: 1, text: 'b' }]
  await fetch(`${front.url}/api/Notes`)
  t.match(await front.route('Note.find', counted(1)), { equal: 1, different: 0 })
})
