import { once } from 'node:events'
import { createServer } from 'node:net'
import t from 'tap'
import { fetchPublic, publicUrl } from '#src/http/remote-keys.ts'

t.test('an address that holds a private one is refused before anything is asked', async (t) => {
  for (const address of [
    'https://[fd00::1]/',
    'https://169.254.169.254/',
    'https://0x7f000001/',
    'https://017700000001/'
  ])
    t.throws(() => publicUrl(address, false), address)
  for (const address of ['http://keys.example/', 'https://me:secret@keys.example/', 'ftp://keys.example/'])
    for (const allowPrivate of [true, false]) t.throws(() => publicUrl(address, allowPrivate), address)
  t.doesNotThrow(() => publicUrl('https://keys.example/', false))
  t.doesNotThrow(() => publicUrl('https://10.0.0.1/', true))
  t.doesNotThrow(() => publicUrl('http://127.0.0.1/', true))
  t.throws(() => publicUrl('http://10.0.0.1/', true))
})

t.test('a server that changes the protocol gives no answer, and is not waited for', async (t) => {
  const server = createServer((socket) =>
    socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: any\r\n\r\n')
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const question = { headers: new Headers(), signal: AbortSignal.timeout(5000) }
  await t.rejects(
    fetchPublic(`http://127.0.0.1:${port}/`, question, { allowPrivate: true, most: 10 }),
    /without a response/
  )
})
