import { once } from 'node:events'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Store } from '#src/stores/store.ts'
import { formEnd, formHeaders, partBytes, textFile } from './form.ts'
import { serveFiles, type Settings } from './serve-files.ts'

/** A server that listens, and a client that sends an upload by hand. */
async function listening(t: Test, settings: Settings = {}) {
  const served = await serveFiles(t, settings)
  const folder = join(served.root, 'one')
  await mkdir(folder)
  await served.app.listen({ port: 0 })
  const { port } = served.app.server.address() as AddressInfo // it listens on a port
  const open = async (length: number): Promise<Socket> => {
    const socket = connect(port)
    t.teardown(() => socket.destroy())
    await once(socket, 'connect')
    const head = ['POST /api/containers/one/upload HTTP/1.1', 'host: x', `content-length: ${length}`]
    const type = `content-type: ${formHeaders['content-type']}`
    socket.write(`${[...head, type].join('\r\n')}\r\n\r\n`)
    return socket
  }
  return { ...served, folder, open, list: () => readdir(folder) }
}

/** A promise that is settled from outside. */
function deferred(): { promise: Promise<unknown>; resolve: (value?: unknown) => void } {
  let resolve: (value?: unknown) => void = () => undefined
  const promise = new Promise((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

/** Tells when the store has begun to write, and when that is over. */
function watchStore(store: Store): { begun: Promise<unknown>; ended: Promise<unknown> } {
  const begun = deferred()
  const ended = deferred()
  const write = store.writeFile.bind(store)
  store.writeFile = async (file) => {
    file.content.once('data', () => begun.resolve())
    try {
      return await write(file)
    } catch (error) {
      ended.resolve(error)
      throw error
    }
  }
  return { begun: begun.promise, ended: ended.promise }
}

t.test('nothing is left of an upload whose client leaves in the middle', async (t) => {
  const { connector, open, list, folder } = await listening(t)
  await writeFile(join(folder, 'a.txt'), 'old')
  const { begun, ended } = watchStore(connector.store)
  const part = partBytes(textFile('x'.repeat(500_000)))
  const socket = await open(part.length * 2)
  socket.write(part.subarray(0, 400_000))
  await begun
  socket.destroy()
  t.ok(await ended)
  t.strictSame(await list(), ['a.txt'])
  t.equal(await readFile(join(folder, 'a.txt'), 'utf8'), 'old')
})

t.test('a client hears of a limit while it still sends', async (t) => {
  const { open, list } = await listening(t, { maxFileSize: 1000 })
  const part = partBytes(textFile('x'.repeat(5_000_000)))
  const socket = await open(part.length + formEnd.length)
  const answer = once(socket, 'data')
  socket.write(part.subarray(0, 200_000))
  t.match(String((await answer)[0]), /^HTTP\/1.1 413 /)
  t.strictSame(await list(), [])
  socket.end(Buffer.concat([part.subarray(200_000), formEnd]))
})

t.test('two uploads of one name at the same time leave one of the two files, as a whole', async (t) => {
  const { app, list, folder } = await listening(t)
  const { port } = app.server.address() as AddressInfo // it listens on a port
  const send = (letter: string) =>
    fetch(`http://localhost:${port}/api/containers/one/upload`, {
      method: 'POST',
      headers: formHeaders,
      body: Buffer.concat([partBytes(textFile(letter.repeat(3_000_000))), formEnd])
    })
  const answers = await Promise.all([send('a'), send('b')])
  t.strictSame(
    answers.map(({ status }) => status),
    [200, 200]
  )
  t.match(await readFile(join(folder, 'a.txt'), 'utf8'), /^(?:a{3000000}|b{3000000})$/)
  t.strictSame(await list(), ['a.txt'])
})
