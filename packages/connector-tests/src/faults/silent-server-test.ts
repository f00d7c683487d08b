import { createServer, type AddressInfo, type Socket } from 'node:net'
import type { Connector } from '@modelwire/core/connector'
import t from 'tap'

/**
 * Checks what becomes of a connector whose server accepts connections and never answers.
 * @param open makes a connector for 127.0.0.1 and this port that waits for a fraction of a second
 */
export function silentServerTest(open: (port: number) => Connector): void {
  void t.test('a server that accepts connections and says nothing is a 503 after a while, once', async (t) => {
    const sockets: Socket[] = []
    const server = createServer((socket) => sockets.push(socket))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    t.teardown(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    // A server that listens on a port has an address.
    const connector = open((server.address() as AddressInfo).port)
    t.teardown(() => connector.disconnect())
    await t.rejects(connector.connect(), { code: 'DATA_SOURCE_UNAVAILABLE', statusCode: 503 })
    t.equal(sockets.length, 1, 'nobody waits as long again')
  })
}
