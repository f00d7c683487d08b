import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { createOpenSockets } from '#src/connection/open-sockets.ts'
import t, { type Test } from 'tap'

/** A connection to a server that never closes its side. */
async function openSilent(t: Test): Promise<Socket> {
  const accepted: Socket[] = []
  const server = createServer({ allowHalfOpen: true }, (socket) => accepted.push(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of accepted) socket.destroy()
    server.close()
  })
  // A server that listens on a port has an address.
  const { port } = server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  await new Promise((resolve) => socket.once('connect', resolve))
  return socket
}

void t.test('a socket that the other side does not close is destroyed after the limit', async (t) => {
  const sockets = createOpenSockets()
  const socket = sockets.add(await openSilent(t))
  await sockets.close(async () => void socket.end(), 50)
  t.equal(socket.destroyed, true)
})

void t.test('an end that never comes is not waited for', async (t) => {
  const sockets = createOpenSockets()
  const socket = sockets.add(await openSilent(t))
  await sockets.close(() => new Promise(() => {}), 50)
  t.equal(socket.destroyed, true)
})

void t.test('sockets that close in time are waited for', async (t) => {
  const sockets = createOpenSockets()
  const socket = sockets.add(await openSilent(t))
  await sockets.close(async () => void setImmediate(() => socket.destroy()), 60_000)
  t.equal(socket.closed, true)
})

void t.test('an end that fails is told, and leaves no socket open', async (t) => {
  const sockets = createOpenSockets()
  const socket = sockets.add(await openSilent(t))
  await t.rejects(
    sockets.close(async () => {
      throw new Error('refused')
    }, 0),
    { message: 'refused' }
  )
  t.equal(socket.destroyed, true)
})
