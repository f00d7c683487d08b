import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { Client } from 'minio'
import t, { type Test } from 'tap'
import { S3Upload } from '#src/stores/s3-upload.ts'
import { type Part, textFile, uploadOf } from './form.ts'
import { serveFiles, temporaryFolder, type Settings } from './serve-files.ts'

/** A server that speaks S3; its package has no types. */
type MakeStore = new (options: object) => { run(): Promise<AddressInfo>; close(): Promise<void> }
const S3rver = createRequire(import.meta.url)('s3rver') as MakeStore // as its documentation says

const keys = { keyId: 'S3RVER', key: 'S3RVER' }

async function serveStore(t: Test, settings: Settings = {}) {
  const directory = await temporaryFolder(t)
  const store = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory })
  const { port } = await store.run()
  t.teardown(() => store.close())
  const client = new Client({ endPoint: '127.0.0.1', port, useSSL: false, accessKey: keys.keyId, secretKey: keys.key })
  const served = await serveFiles(t, { provider: 'amazon', client, ...settings })
  const upload = async (...parts: readonly Part[]) => {
    const answer = await served.app.inject(uploadOf('/api/containers/one/upload', ...parts))
    return { status: answer.statusCode, ...answer.json() }
  }
  return { ...served, client, upload, endpoint: `http://127.0.0.1:${port}` }
}

t.test('buckets are containers', async (t) => {
  const { app } = await serveStore(t)
  t.strictSame((await app.inject('/api/containers')).json(), [])
  const created = await app.inject({ method: 'POST', url: '/api/containers', payload: { name: 'one' } })
  t.strictSame([created.statusCode, created.json()], [200, { name: 'one' }])
  t.match((await app.inject('/api/containers')).json(), [{ name: 'one' }])
  t.match((await app.inject('/api/containers/one')).json(), { name: 'one' })
  t.strictSame((await app.inject({ method: 'DELETE', url: '/api/containers/one' })).json(), {})
  t.strictSame((await app.inject('/api/containers')).json(), [])
})

t.test('objects are files', async (t) => {
  const { app, upload, client } = await serveStore(t)
  await client.makeBucket('one')
  const { status, result } = await upload(textFile('hello world'), textFile('', 'empty'), { name: 'f', content: 'x' })
  t.match({ status, fields: result.fields }, { status: 200, fields: { f: ['x'] } })
  const providerResponse = { container: 'one', name: 'a.txt', etag: String }
  const stored = { container: 'one', name: 'a.txt', size: 11 }
  t.match(result.files.file, [
    { ...stored, providerResponse },
    { name: 'empty', size: 0 }
  ])
  t.match((await app.inject('/api/containers/one/files')).json(), [stored, { name: 'empty', size: 0 }])
  t.match((await app.inject('/api/containers/one/files/a.txt')).json(), { ...stored, lastModified: String })
  const part = await app.inject({ url: '/api/containers/one/download/a.txt', headers: { range: 'bytes=6-' } })
  t.strictSame([part.statusCode, part.body, part.headers['content-range']], [206, 'world', 'bytes 6-10/11'])
  t.equal((await app.inject('/api/containers/one/download/a.txt')).body, 'hello world')
  t.equal((await app.inject('/api/containers/one/download/empty')).statusCode, 200)
  t.strictSame((await app.inject({ method: 'DELETE', url: '/api/containers/one/files/a.txt' })).json(), {})
  t.equal((await app.inject({ method: 'DELETE', url: '/api/containers/one' })).statusCode, 200, 'with what is in it')
})

t.test('what is not there is a 404, and a name of no bucket a 400', async (t) => {
  const { app, upload, client } = await serveStore(t)
  const status = async (method: 'GET' | 'DELETE', path: string) => {
    const answer = await app.inject({ method, url: `/api/containers/${path}` })
    return [answer.statusCode, answer.json().error?.code]
  }
  await client.makeBucket('two')
  for (const path of ['one', 'one/files', 'one/files/a', 'one/download/a', 'two/files/a', 'two/download/a'])
    t.strictSame(await status('GET', path), [404, 'ENOENT'], path)
  for (const path of ['one', 'two/files/a']) t.strictSame(await status('DELETE', path), [404, 'ENOENT'], path)
  t.match(await upload(textFile('x')), { status: 404 })
  for (const name of ['A_b', '..', 'x'])
    t.match(
      (await app.inject({ method: 'POST', url: '/api/containers', payload: { name } })).json(),
      { error: { statusCode: 400, code: 'FILE_NAME_INVALID' } },
      name
    )
  t.strictSame(await status('GET', 'two/files/..%2Fx'), [400, 'FILE_NAME_INVALID'])
})

/** Ids of uploads that were begun, and are neither completed nor ended. The server of these tests cannot end uploads. */
function watchUploads(client: Client): ReadonlySet<unknown> {
  const open = new Set<unknown>()
  const initiate = client.initiateNewMultipartUpload.bind(client)
  const complete = client.completeMultipartUpload.bind(client)
  client.initiateNewMultipartUpload = async (...args) => {
    const id = await initiate(...args)
    open.add(id)
    return id
  }
  client.completeMultipartUpload = async (...args) => {
    const completed = await complete(...args)
    open.delete(args[2])
    return completed
  }
  client.abortMultipartUpload = async (...args) => {
    t.ok(open.delete(args[2]), 'it is ended once')
  }
  return open
}

t.test('a large file goes in parts, and nothing is left of one that is too large', async (t) => {
  const { app, upload, client } = await serveStore(t, { maxFileSize: 10_000_000 })
  await client.makeBucket('one')
  const open = watchUploads(client)
  const content = randomBytes(9_000_000)
  t.match(await upload({ name: 'file', fileName: 'big.bin', type: 'application/octet-stream', content }), {
    status: 200
  })
  const answer = await app.inject('/api/containers/one/download/big.bin')
  t.ok(answer.rawPayload.equals(content))
  const tooLarge = { ...textFile('', 'b.txt'), content: Buffer.alloc(10_000_001) }
  t.match(await upload(textFile('small'), tooLarge), { status: 413, error: { code: 'FILE_TOO_LARGE' } })
  t.match((await app.inject('/api/containers/one/files')).json(), [{ name: 'big.bin' }])
  t.strictSame([...open], [])
})

/** Breaks an upload off once the store has a part of it. */
async function breakOff(t: Test, settings: Settings = {}) {
  const { client, connector } = await serveStore(t, settings)
  await client.makeBucket('one')
  const leaving = new AbortController()
  const content = new PassThrough()
  const { signal } = leaving
  const writing = connector.store.writeFile({ container: 'one', name: 'a', content, headers: {}, signal })
  content.write(Buffer.alloc(9_000_000), () => leaving.abort(new Error('left')))
  await t.rejects(writing, { cause: { message: 'left' } })
  t.strictSame(await connector.store.listFiles('one'), [])
}

t.test('an upload that is broken off is ended in the store', async (t) => {
  const { client } = await serveStore(t)
  await client.makeBucket('one')
  const ended: unknown[][] = []
  // The server of these tests cannot end uploads.
  client.abortMultipartUpload = async (...args) => void ended.push(args)
  const upload = new S3Upload({ client, bucket: 'one', key: 'a', headers: {} })
  const content = new PassThrough()
  const writing = upload.write(content, undefined)
  content.write(Buffer.alloc(9_000_000), () => content.destroy(new Error('left')))
  await t.rejects(writing, { message: 'left' })
  t.match(ended, [['one', 'a', String]])
  await upload.discard()
  t.equal(ended.length, 1)
})

t.test('where the store cannot end it, the process is warned, and the upload fails with its own error', async (t) => {
  const warned = once(process, 'warning')
  await breakOff(t)
  t.match(await warned, [{ name: 'StorageWarning', message: /one\/a/ }])
})

t.test('types and other headers are stored with the object', async (t) => {
  const { upload, client, connector } = await serveStore(t)
  connector.CacheControl = 'max-age=60'
  connector.getFilename = ({ name }) => `folder/${name}`
  await client.makeBucket('one')
  t.match(await upload({ ...textFile('x'), type: 'image/png' }), { status: 200 })
  t.match((await client.statObject('one', 'folder/a.txt')).metaData, {
    'content-type': 'image/png',
    'cache-control': 'max-age=60'
  })
})

t.test('streams write to the store and read from it', async (t) => {
  const { app, client } = await serveStore(t)
  const { Container } = app.models
  await client.makeBucket('one')
  const writing = Container.uploadStream('one', 'a.txt')
  const success = once(writing, 'success')
  writing.end('hello')
  t.match((await success)[0], { name: 'a.txt', size: 5 })
  t.equal(await text(Container.downloadStream('one', 'a.txt', { start: 1, end: 3 })), 'ell')
})

t.test('a form whose files cannot all be put in their places leaves none of them', async (t) => {
  const { upload, client, connector } = await serveStore(t)
  await client.makeBucket('one')
  await upload(textFile('old', 'replaced'))
  const open = watchUploads(client)
  const complete = client.completeMultipartUpload.bind(client)
  client.completeMultipartUpload = async (...args) => {
    if (args[1] === 'last') throw Object.assign(new Error('down'), { code: 'SlowDown' })
    return complete(...args)
  }
  const warned = once(process, 'warning')
  const files = ['new', 'replaced', 'last'].map((name) => textFile('x', name))
  t.match(await upload(...files), { status: 503, error: { code: 'DATA_SOURCE_UNAVAILABLE' } })
  t.match(await connector.store.listFiles('one'), [{ name: 'replaced' }])
  t.match(await warned, [{ name: 'StorageWarning', message: /one\/replaced/ }], 'a store keeps no old content')
  t.strictSame([...open], [])
})

t.test('a file that is replaced between its facts and its bytes is read anew', async (t) => {
  const { app, upload, client } = await serveStore(t)
  await client.makeBucket('one')
  await upload(textFile('first'))
  const sent: unknown[] = []
  const request = client.makeRequestAsync.bind(client)
  let replaced = 0
  client.makeRequestAsync = async (options, ...others) => {
    if (options.method === 'GET' && options.objectName === 'a.txt') {
      sent.push(options.headers?.['if-match'])
      // The server of these tests does not know the condition.
      if (replaced++ === 0) throw Object.assign(new Error('changed'), { code: 'PreconditionFailed' })
      if (replaced > 4) throw Object.assign(new Error('changed'), { code: 'PreconditionFailed' })
    }
    return request(options, ...others)
  }
  const answer = await app.inject('/api/containers/one/download/a.txt')
  t.strictSame([answer.statusCode, answer.body, sent[0]], [200, 'first', answer.headers.etag])
  replaced = 4
  t.match((await app.inject('/api/containers/one/download/a.txt')).json(), {
    error: { statusCode: 503, code: 'FILE_CHANGED' }
  })
})

t.test('files are listed by pages', async (t) => {
  const { app, upload, client } = await serveStore(t)
  await client.makeBucket('one')
  await upload(...['c', 'a', 'b'].map((name) => textFile('x', name)))
  const names = async (query: string) =>
    (await app.inject(`/api/containers/one/files${query}`)).json().map(({ name }: { name: string }) => name)
  t.strictSame(await names('?limit=2'), ['a', 'b'])
  t.strictSame(await names('?limit=2&after=b'), ['c'])
})

t.test('a store that is away is a 503, and one that refuses a 500', async (t) => {
  const refusing = createServer((_request, response) => {
    response.statusCode = 403
    response.end('<Error><Code>AccessDenied</Code><Message>no</Message></Error>')
  }).listen(0)
  t.teardown(() => refusing.close())
  const { port } = refusing.address() as AddressInfo // it listens on a port
  const denied = await serveFiles(t, { provider: 'amazon', endpoint: `http://127.0.0.1:${port}`, ...keys })
  await t.rejects(denied.app.models.Container.getContainers(), {
    code: 'STORAGE_FAILED',
    statusCode: 500,
    cause: { code: 'AccessDenied' }
  })
  await denied.connector.ping()
  const away = await serveFiles(t, { provider: 'amazon', endpoint: 'http://127.0.0.1:9', ...keys })
  await t.rejects(away.connector.ping(), { code: 'DATA_SOURCE_UNAVAILABLE', statusCode: 503 })
  const answer = await away.app.inject('/api/containers')
  t.match([answer.statusCode, answer.json()], [503, { error: { code: 'DATA_SOURCE_UNAVAILABLE' } }])
})
