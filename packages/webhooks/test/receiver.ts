import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

/** A message as it arrived. */
export interface Arrived {
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string
}

/** How a receiver answers: a status, or whatever the function does. */
export type Reply = number | ((request: IncomingMessage, response: ServerResponse) => void)

/** A server that keeps the messages that it is sent. */
export interface Receiver {
  readonly url: string
  readonly port: number
  readonly arrived: Arrived[]
  /** What the bodies of the messages say. */
  readonly messages: () => readonly Message[]
}

/** What the body of a message says. */
export interface Message {
  readonly type: string
  readonly timestamp: string
  readonly data: Record<string, unknown>
}

/** Starts a receiver at a free port. @param reply says how it answers each message; 204 when absent */
export async function startReceiver(t: Test, reply: (arrived: Arrived) => Reply = () => 204): Promise<Receiver> {
  const arrived: Arrived[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, text]) => [name, String(text)]))
      const one = { path: request.url ?? '', headers, body: Buffer.concat(chunks).toString() }
      arrived.push(one)
      const answer = reply(one)
      if (typeof answer === 'function') answer(request, response)
      else response.writeHead(answer).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  // A server that listens on a port has an address.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    arrived,
    messages: () => arrived.map(({ body }) => JSON.parse(body) as Message) // written by this package
  }
}
