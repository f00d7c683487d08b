import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { serveFiles, type Settings } from './serve-files.ts'

async function withFiles(t: Test, files: Readonly<Record<string, string>>, settings: Settings = {}) {
  const served = await serveFiles(t, settings)
  await mkdir(join(served.root, 'one'))
  for (const [name, content] of Object.entries(files)) await writeFile(join(served.root, 'one', name), content)
  const get = (name: string, headers: Record<string, string> = {}) =>
    served.app.inject({ url: `/api/containers/one/download/${encodeURIComponent(name)}`, headers })
  return { ...served, get }
}

t.test('a download has the bytes of the file and says what they are', async (t) => {
  const { get, app } = await withFiles(t, { 'a.txt': 'hello world' })
  const answer = await get('a.txt')
  t.equal(answer.statusCode, 200)
  t.equal(answer.body, 'hello world')
  t.match(answer.headers, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': '11',
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    'content-disposition': 'inline; filename=a.txt'
  })
  const head = await app.inject({ method: 'HEAD', url: '/api/containers/one/download/a.txt' })
  t.strictSame([head.statusCode, head.body, head.headers['content-length']], [200, '', '11'])
})

const types: readonly (readonly [name: string, type: string, disposition: string])[] = [
  ['a.png', 'image/png', 'inline'],
  ['a.svg', 'image/svg+xml', 'attachment'],
  ['a.html', 'text/html; charset=utf-8', 'attachment'],
  ['a.js', 'text/javascript; charset=utf-8', 'attachment'],
  ['a.pdf', 'application/pdf', 'inline'],
  ['a', 'application/octet-stream', 'attachment'],
  ['a.HTML', 'text/html; charset=utf-8', 'attachment']
]

t.test('what could run in a browser is saved by it, and not shown', async (t) => {
  const { get } = await withFiles(t, Object.fromEntries(types.map(([name]) => [name, 'x'])))
  for (const [name, type, disposition] of types) {
    const { headers } = await get(name)
    t.equal(headers['content-type'], type)
    t.equal(String(headers['content-disposition']).split(';')[0], disposition, name)
  }
  const { get: show } = await withFiles(t, { 'a.html': 'x', 'a.png': 'x' }, { inlineTypes: ['text/html'] })
  t.match((await show('a.html')).headers, { 'content-disposition': /^inline/ })
  t.match((await show('a.png')).headers, { 'content-disposition': /^attachment/ })
})

t.test('names of any letters come through', async (t) => {
  const { get } = await withFiles(t, { 'ü "ä"€.txt': 'x' })
  t.equal(
    (await get('ü "ä"€.txt')).headers['content-disposition'],
    `inline; filename="? \\"?\\"?.txt"; filename*=UTF-8''%C3%BC%20%22%C3%A4%22%E2%82%AC.txt`
  )
})

const ranges: readonly (readonly [range: string, status: number, body: string, contentRange: string | undefined])[] = [
  ['bytes=0-4', 206, 'hello', 'bytes 0-4/11'],
  ['bytes=6-', 206, 'world', 'bytes 6-10/11'],
  ['bytes=-3', 206, 'rld', 'bytes 8-10/11'],
  ['bytes=2-100', 206, 'llo world', 'bytes 2-10/11'],
  ['bytes=0-1,2-3', 206, 'hell', 'bytes 0-3/11'],
  ['bytes=0-0,5-6', 200, 'hello world', undefined],
  ['lines=1-2', 200, 'hello world', undefined],
  ['bytes', 200, 'hello world', undefined]
]

t.test('a part of a file is a 206, and what it does not have a 416', async (t) => {
  const { get } = await withFiles(t, { 'a.txt': 'hello world', empty: '' })
  for (const [range, status, body, contentRange] of ranges) {
    const answer = await get('a.txt', { range })
    t.strictSame([answer.statusCode, answer.body, answer.headers['content-range']], [status, body, contentRange], range)
    t.equal(answer.headers['content-length'], String(body.length))
  }
  for (const [name, range, size] of [
    ['a.txt', 'bytes=100-200', 11],
    ['empty', 'bytes=0-0', 0]
  ] as const) {
    const refused = await get(name, { range })
    t.match([refused.statusCode, refused.json()], [416, { error: { code: 'RANGE_NOT_SATISFIABLE' } }])
    t.equal(refused.headers['content-range'], `bytes */${size}`)
  }
  t.strictSame([(await get('empty')).statusCode, (await get('empty')).body], [200, ''])
})

t.test('a part of an older file is not given', async (t) => {
  const { get } = await withFiles(t, { 'a.txt': 'hello world' })
  const modified = String((await get('a.txt')).headers['last-modified'])
  t.equal((await get('a.txt', { range: 'bytes=0-4', 'if-range': modified })).statusCode, 206)
  const older = 'Thu, 01 Jan 1970 00:00:00 GMT'
  t.equal((await get('a.txt', { range: 'bytes=0-4', 'if-range': older })).body, 'hello world')
})

const past = 'Thu, 01 Jan 1970 00:00:00 GMT'
const future = 'Fri, 01 Jan 2100 00:00:00 GMT'

// RFC 9110, section 13.2.2
const conditions: readonly (readonly [headers: Record<string, string>, status: number])[] = [
  [{ 'if-none-match': '*' }, 304],
  [{ 'if-none-match': '"other"' }, 200],
  [{ 'if-none-match': '"other"', 'if-modified-since': future }, 200],
  [{ 'if-modified-since': future }, 304],
  [{ 'if-modified-since': past }, 200],
  [{ 'if-modified-since': 'x' }, 200],
  [{ 'if-match': '*' }, 200],
  [{ 'if-match': '"other"' }, 412],
  [{ 'if-match': '*', 'if-unmodified-since': past }, 200],
  [{ 'if-unmodified-since': past }, 412],
  [{ 'if-unmodified-since': future }, 200],
  [{ 'if-unmodified-since': future, 'if-none-match': '*' }, 304]
]

t.test('a download may have conditions', async (t) => {
  const { get } = await withFiles(t, { 'a.txt': 'hello' })
  for (const [headers, status] of conditions)
    t.equal((await get('a.txt', headers)).statusCode, status, JSON.stringify(headers))
  t.match((await get('a.txt', { 'if-match': '"other"' })).json(), { error: { code: 'FILE_CONDITION_FAILED' } })
  const etag = String((await get('a.txt')).headers.etag)
  const unchanged = await get('a.txt', { 'if-none-match': `"x", ${etag}` })
  t.strictSame([unchanged.statusCode, unchanged.body, unchanged.headers.etag], [304, '', etag])
  t.equal((await get('a.txt', { 'if-match': etag })).statusCode, 412, 'a weak tag proves nothing here')
  t.equal((await get('a.txt', { range: 'bytes=0-1', 'if-range': etag })).body, 'hello', 'nor here')
})

t.test('a file that cannot be read is answered by an error alone', async (t) => {
  const { get, connector } = await withFiles(t, { 'a.txt': 'hello' })
  const openFile = connector.store.openFile.bind(connector.store)
  const failing = { reads: (): Promise<Readable> => Promise.reject(new Error('gone')) }
  connector.store.openFile = async (...args) => {
    const file = await openFile(...args)
    return { ...file, read: async () => failing.reads() }
  }
  const late = new Readable({ read: () => late.destroy(new Error('gone')) })
  for (const reads of [failing.reads, async () => late]) {
    failing.reads = reads
    const answer = await get('a.txt', { range: 'bytes=1-2' })
    t.equal(answer.statusCode, 500)
    t.match(answer.headers['content-type'], /json/)
    for (const name of ['content-range', 'content-disposition', 'etag', 'last-modified', 'accept-ranges'])
      t.notOk(name in answer.headers, name)
  }
})

t.test('a client that leaves a download in the middle does no harm', async (t) => {
  const { app, get } = await withFiles(t, { big: 'x'.repeat(50_000_000), 'a.txt': 'a' })
  await app.listen({ port: 0 })
  const { port } = app.server.address() as AddressInfo // it listens on a port
  const closed = new Promise((resolve) =>
    app.server.once('request', (_request, response) => response.once('close', resolve))
  )
  const leaving = new AbortController()
  const answer = await fetch(`http://localhost:${port}/api/containers/one/download/big`, { signal: leaving.signal })
  t.equal(answer.headers.get('content-length'), '50000000')
  leaving.abort()
  await closed
  t.equal((await get('a.txt')).body, 'a')
})
