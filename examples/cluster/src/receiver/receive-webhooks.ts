import { once } from 'node:events'
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { SeenOrders } from '../soak/seen-orders.ts'

/** A server that is told of orders. */
export interface WebhookReceiver {
  readonly orders: SeenOrders
  /** What messages have to be signed with. */
  readonly secret: string
  readonly stop: () => Promise<void>
}

/** What the body of a message says. */
export interface Message {
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}

/** What is heard of messages. */
export type HearMessage = (message: Message) => void

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer) // without an encoding streams give buffers
  return Buffer.concat(parts).toString()
}

/** Starts the server. A message may come more than once: what counts is the order that it names. */
export async function receiveWebhooks(port: number, hear: HearMessage = () => {}): Promise<WebhookReceiver> {
  const orders = new SeenOrders()
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const take = async (request: IncomingMessage): Promise<number> => {
    const headers = Object.entries(request.headers).map(([name, text]) => [name, String(text)] as const)
    // Nobody else can sign it: it is what the shop sends.
    const message = new Webhook(secret).verify(await readBody(request), Object.fromEntries(headers)) as Message
    if (message.type === 'order.created') orders.add(String(message.data['reference']))
    hear(message)
    return 204
  }
  const answer = async (request: IncomingMessage): Promise<number> => {
    try {
      return await take(request)
    } catch {
      return 400
    }
  }
  const server = createServer((request, response) => {
    void (async () => response.writeHead(await answer(request)).end())()
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    orders,
    secret,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    }
  }
}
