import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { SeenOrders } from '../soak/seen-orders.ts'

/** A server that is told of orders. */
export interface WebhookReceiver {
  readonly orders: SeenOrders
  readonly stop: () => Promise<void>
}

/** What is heard of messages. */
export type HearMessage = (message: { readonly type: string; readonly data: Readonly<Record<string, unknown>> }) => void

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer) // without an encoding streams give buffers
  return Buffer.concat(parts).toString()
}

/** Starts the server. A message may come more than once: what counts is the order that it names. */
export async function receiveWebhooks(port: number, hear: HearMessage = () => {}): Promise<WebhookReceiver> {
  const orders = new SeenOrders()
  const take = async (request: IncomingMessage): Promise<number> => {
    const message = JSON.parse(await readBody(request)) as Parameters<HearMessage>[0]
    if (message.type === 'order.created') orders.add(String(message.data['reference']))
    hear(message)
    return 204
  }
  const server = createServer((request, response) => {
    void take(request).then(
      (status) => response.writeHead(status).end(),
      () => response.writeHead(400).end()
    )
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    orders,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    }
  }
}
