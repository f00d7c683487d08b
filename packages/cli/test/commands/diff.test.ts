import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { run } from '#src/run.ts'
import { bookRows, type Reply, startServer } from '../diff/start-servers.ts'
import { type FakeTerminal, fakeTerminal } from '../fake-terminal.ts'
import { makeFolder, noteApp } from '../make-folder.ts'

const paths = ['/books', '/books/1', '/gone', '/moved', '/text', '/nowhere']

function trafficFile(t: Test, lines: readonly object[] = paths.map((path) => ({ path }))): string {
  const file = join(makeFolder(t), 'traffic.jsonl')
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'))
  return file
}

interface Compared {
  readonly code: number
  readonly terminal: FakeTerminal
}

async function diff(old: string, now: string, ...more: readonly string[]): Promise<Compared> {
  const terminal = fakeTerminal()
  return { code: await run(['diff', '--old', old, '--new', now, ...more], terminal), terminal }
}

t.test('servers that answer alike differ in nothing', async (t) => {
  const { code, terminal } = await diff(await startServer(t), await startServer(t), '--traffic', trafficFile(t))
  t.equal(code, 0)
  t.equal(terminal.outText(), '6 requests, 0 answered differently')
})

t.test('a filter is printed as it is written, and broken encoding as it was sent', async (t) => {
  const where = '/books?filter={"where":{"title":"a b"}}'
  const lines = [{ path: encodeURI(where) }, { path: '/books?broken=%E0%A4' }, { path: '/books?title=%1B[31m' }]
  const other = await startServer(t, { '/books': () => [] })
  const { terminal } = await diff(await startServer(t), other, '--traffic', trafficFile(t, lines))
  for (const line of [`GET ${where}`, 'GET /books?broken=%E0%A4', String.raw`GET /books?title=\u001b[31m`])
    t.ok(terminal.outText().split('\n').includes(line), line)
})

const changed =
  (change: (rows: Record<string, unknown>[]) => unknown): Reply =>
  () => {
    const rows = bookRows()
    return change(rows) ?? rows
  }
const error =
  (body: object, status: number): Reply =>
  (_request, reply) =>
    reply.code(status).send({ error: body })

/** Ten things that a server could do differently, with what is printed of each. */
const planted: Readonly<Record<string, { readonly own: Readonly<Record<string, Reply>>; readonly told: RegExp }>> = {
  'another status': {
    own: { '/gone': error({ statusCode: 410, code: 'GONE' }, 410) },
    told: /status status: 404 → 410/
  },
  'another code': {
    own: { '/gone': error({ statusCode: 404, code: 'LOST' }, 404) },
    told: /value \/error\/code: "GONE" → "LOST"/
  },
  'another value': {
    own: { '/books': changed((rows) => void Object.assign(rows[1] ?? {}, { pages: 475 })) },
    told: /value \/1\/pages: 474 → 475/
  },
  'a property that is missing': {
    own: { '/books': changed((rows) => void delete rows[0]?.['title']) },
    told: /missing \/0\/title: "Dune" → absent/
  },
  'a property that is added': {
    own: { '/books': changed((rows) => void Object.assign(rows[0] ?? {}, { isbn: 'x' })) },
    told: /added \/0\/isbn: absent → "x"/
  },
  'another type': {
    own: { '/books': changed((rows) => void Object.assign(rows[0] ?? {}, { id: '1' })) },
    told: /type \/0\/id: 1 → "1"/
  },
  'absent in place of null': {
    own: { '/books/1': changed((rows) => ({ ...rows[0], author: undefined })) },
    told: /missing \/author: null → absent/
  },
  'another order': { own: { '/books': changed((rows) => rows.toReversed()) }, told: /value \/0\/id: 1 → 2/ },
  'another media type': {
    own: { '/text': (_request, reply) => reply.type('text/html').send('hello') },
    told: /header content-type: "text\/plain[^"]*" → "text\/html/
  },
  'another place to go': {
    own: { '/moved': (_request, reply) => reply.redirect('/elsewhere') },
    told: /header location: "\/books" → "\/elsewhere"/
  }
}

for (const [name, { own, told }] of Object.entries(planted))
  t.test(`it finds ${name}`, async (t) => {
    const { code, terminal } = await diff(await startServer(t), await startServer(t, own), '--traffic', trafficFile(t))
    t.equal(code, 1)
    t.match(terminal.outText(), told)
    t.match(terminal.outText(), /6 requests, 1 answered differently$/)
  })

t.test('the wording of errors is free', async (t) => {
  const reworded = { '/gone': error({ message: 'not there', code: 'GONE', statusCode: 404 }, 404) }
  const { code } = await diff(await startServer(t), await startServer(t, reworded), '--traffic', trafficFile(t))
  t.equal(code, 0)
})

t.test('what a login gives is used in later requests, and need not be the same', async (t) => {
  const token = 'b'.repeat(64)
  const other: Record<string, Reply> = {
    '/login': () => ({ token, at: '2027-01-01T00:00:00.000Z' }),
    '/me': ({ headers }) => ({ known: headers.authorization === token })
  }
  const traffic = trafficFile(t, [
    { method: 'POST', path: '/login', json: {} },
    { path: '/me', headers: { Authorization: 'a'.repeat(64) } }
  ])
  const [old, now] = [await startServer(t), await startServer(t, other)]
  const strict = await diff(old, now, '--traffic', traffic)
  t.match(strict.terminal.outText(), /value \/token.*\n.*value \/at/)
  t.match(strict.terminal.outText(), /2 requests, 1 answered differently$/)
  t.equal((await diff(old, now, '--traffic', traffic, '--ignore-ids', '--ignore-times')).code, 0)
  t.equal((await diff(old, now, '--traffic', traffic, '--ignore', '/token', '/**/at')).code, 0)
})

t.test('an HTTP archive is replayed', async (t) => {
  const file = join(makeFolder(t), 'recorded.har')
  const request = (method: string, url: string) => ({
    request: { method, url, headers: [{ name: 'Accept', value: '*/*' }] }
  })
  writeFileSync(
    file,
    JSON.stringify({
      log: { entries: [request('GET', 'https://old.example/books?a=1'), request('POST', 'https://old.example/login')] }
    })
  )
  const { code, terminal } = await diff(await startServer(t), await startServer(t), '--traffic', file)
  t.equal(code, 0)
  t.match(terminal.outText(), /^2 requests/)
})

t.test('reports are written as JSON and as a page that shows markup as text', async (t) => {
  const dir = makeFolder(t)
  const [html, json] = [join(dir, 'report.html'), join(dir, 'report.json')]
  const evil = {
    '/text': (_request: unknown, reply: { send: (text: string) => unknown }) => reply.send('<script>x</script>')
  }
  const { code } = await diff(
    await startServer(t),
    await startServer(t, evil as Record<string, Reply>),
    '--traffic',
    trafficFile(t),
    '--html',
    html,
    '--json',
    json
  ) // the same form
  t.equal(code, 1)
  const page = readFileSync(html, 'utf8')
  t.match(page, /1 of 6 requests were answered differently/)
  t.notMatch(page, /<script>/)
  t.match(page, /<details class="model"><summary><h2>\/text<\/h2>/)
  t.match(JSON.parse(readFileSync(json, 'utf8')), {
    requests: 6,
    differing: [{ request: { path: '/text' }, old: { text: 'hello' } }]
  })
})

t.test('reads are generated from the models of an application', async (t) => {
  const dir = makeFolder(t, {
    ...noteApp,
    'common/models/note.json': { name: 'Note', properties: { text: 'string', n: 'number' } }
  })
  const rows = [{ id: 1, text: 'a', n: 1 }]
  const asked: string[] = []
  const answer: Reply = ({ url }) => {
    asked.push(url)
    return rows
  }
  const own = { '/api/Notes': answer, '/api/Notes/*': answer }
  const { code, terminal } = await diff(await startServer(t, own), await startServer(t, own), '--app', dir)
  t.equal(code, 0)
  t.match(terminal.outText(), /^\d\d requests, 0 answered differently$/)
  t.ok(asked.includes('/api/Notes/1'), 'records that are there are read')
  t.ok(asked.some((url) => decodeURIComponent(url).includes('"order":"text ASC"')))
})

t.test('what cannot be compared is told with a code', async (t) => {
  const url = await startServer(t)
  const file = trafficFile(t)
  const broken = join(makeFolder(t, { 'broken.jsonl': '{"path":"/a"}\n{"path":' }), 'broken.jsonl')
  const cases: readonly (readonly [readonly string[], number, RegExp])[] = [
    [[url, 'nonsense', '--traffic', file], 2, /USAGE/],
    [[url, url], 2, /--traffic/],
    [[url, url, '--traffic', file, '--ignore', 'id'], 2, /USAGE/],
    [[url, url, '--traffic', file, '--header', 'x'], 2, /USAGE/],
    [[url, url, '--traffic', `${file}.no`], 2, /TRAFFIC_UNREADABLE/],
    [[url, url, '--traffic', broken], 2, /broken\.jsonl:2: invalid JSON/],
    [[url, 'http://127.0.0.1:1', '--traffic', file], 1, /NO_ANSWER/]
  ]
  for (const [[old = '', now = '', ...more], code, told] of cases) {
    const compared = await diff(old, now, ...more)
    t.equal(compared.code, code, String(told))
    t.match(compared.terminal.errText(), told)
  }
})
