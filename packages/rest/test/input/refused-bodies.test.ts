import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { acl } from '@modelwire/acl'
import { memory } from '@modelwire/connector-memory'
import { modelwire } from '@modelwire/core'
import { rest } from '@modelwire/rest'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'

/** Open trees, and notes that nobody may write, on a real port: what is tested is the connection. */
async function open(t: Test): Promise<{ app: FastifyInstance; port: number; base: string }> {
  const app = Fastify({ requestTimeout: 60_000 })
  t.teardown(() => app.close())
  const acls = [{ principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }] as never[]
  const properties = { name: 'string' }
  const models = [
    { name: 'Tree', public: true, properties },
    { name: 'Note', public: true, properties, acls }
  ]
  await app.register(modelwire, { dataSources: { db: memory() }, models: models as never })
  await app.register(acl)
  for (const name of ['ACL', 'Role', 'RoleMapping']) app.models.attach(name, 'db')
  await app.register(rest, { prefix: '/api', batch: true, idempotency: true })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo // a port was listened at
  return { app, port, base: `http://127.0.0.1:${port}` }
}

const file = (size: number): FormData => {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(size)]), 'tree.jpg')
  return form
}

void t.test('a form with a file is answered, however often, before it is read', async (t) => {
  const { base } = await open(t)
  const statuses = async (path: string): Promise<unknown[]> => {
    const found: unknown[] = []
    for (let round = 0; round < 20; round++) {
      const response = await fetch(`${base}${path}`, { method: 'POST', body: file(300_000) })
      found.push(response.status)
      await response.text()
    }
    return [...new Set(found)]
  }
  t.strictSame(await statuses('/api/Trees'), [415])
  t.strictSame(await statuses('/api/batch'), [415])
  t.strictSame(await statuses('/api/Notes'), [401], 'who may not write is not told of types')
  t.strictSame(await statuses('/api/Nothing'), [404])
  t.strictSame(
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const response = await fetch(`${base}/api/Trees`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: Buffer.alloc(2_000_000)
        })
        return response.status
      })
    ),
    Array.from({ length: 20 }, () => 413)
  )
})

/** A connection, and what came over it so far. */
async function dial(t: Test, port: number): Promise<{ socket: Socket; heard: () => string; closed: Promise<unknown> }> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (bytes) => (text += bytes.toString('latin1')))
  socket.on('error', () => {})
  t.teardown(() => socket.destroy())
  await once(socket, 'connect')
  return { socket, heard: () => text, closed: new Promise((resolve) => socket.once('close', resolve)) }
}

const head = (path: string, type: string, more: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\n${more}\r\n\r\n`

void t.test('the next request of the connection begins behind the refused body', async (t) => {
  const { port } = await open(t)
  for (const [path, type, status] of [
    ['/api/Trees', 'multipart/form-data; boundary=x', 415],
    ['/api/Trees', 'application/json', 413],
    ['/api/Notes', 'text/plain', 401],
    ['/api/Nothing', 'text/plain', 404]
  ] as const) {
    const { socket, heard } = await dial(t, port)
    const size = 2_000_000
    socket.write(head(path, type, `Content-Length: ${size}`))
    socket.write(Buffer.alloc(size - 10, 'GET / HTTP/1.1 '))
    while (!heard().includes('HTTP/1.1 ')) await once(socket, 'data')
    t.match(heard(), new RegExp(`^HTTP/1\\.1 ${status}`))
    socket.write('x'.repeat(10))
    socket.write('GET /api/Trees/count HTTP/1.1\r\nHost: x\r\n\r\n')
    while (!heard().includes('"count"')) await once(socket, 'data')
    t.equal(heard().split('HTTP/1.1 ').length, 3, 'two answers')
  }
})

void t.test('a client that sends forever is cut', async (t) => {
  const { port } = await open(t)
  const { socket, heard, closed } = await dial(t, port)
  socket.write(head('/api/Trees', 'text/plain', 'Transfer-Encoding: chunked'))
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
  let sent = 0
  const send = (): void => {
    while (!socket.destroyed && sent++ < 10_000) if (!socket.write(chunk)) return
  }
  socket.on('drain', send)
  send()
  await closed
  t.match(heard(), /^HTTP\/1\.1 415/)
  t.ok(sent < 5000, `${sent} chunks`)
})

void t.test('a key is not used up by a refused body', async (t) => {
  const { base } = await open(t)
  const headers = { 'idempotency-key': 'k1' }
  t.equal((await fetch(`${base}/api/Trees`, { method: 'POST', headers, body: file(10) })).status, 415)
  const again = await fetch(`${base}/api/Trees`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: '{"name":"oak"}'
  })
  t.equal(again.status, 200)
})
