import { request, type IncomingMessage } from 'node:http'
import { until } from '@modelwire/test-waits'
import type { FastifyInstance } from 'fastify'

/** One block of an event stream, by the names of its fields. */
export type Block = Readonly<Record<string, string>>

/** A connection to a stream, with the blocks that came so far. */
export interface Connection {
  readonly response: IncomingMessage
  readonly blocks: Block[]
  /** The objects of the events named data. */
  readonly data: () => unknown[]
  /** Waits until `test` holds. */
  readonly until: (test: () => boolean) => Promise<void>
  /** Resolves when the server has ended the answer, or closed the connection. */
  readonly closed: Promise<void>
  readonly close: () => void
}

function parseBlock(text: string): Block {
  const lines = text
    .split('\n')
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])
  return Object.fromEntries(lines) as Block // of pairs of texts
}

/** Opens `path` of a listening server. */
export async function openEvents(
  app: FastifyInstance,
  path: string,
  { headers = {}, method = 'GET' }: { readonly headers?: Record<string, string>; readonly method?: string } = {}
): Promise<Connection> {
  const url = new URL(path, app.listeningOrigin)
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { headers, method, agent: false }, resolve).on('error', reject).end()
  })
  const blocks: Block[] = []
  let text = ''
  response.setEncoding('utf8').on('data', (part: string) => {
    const parts = (text + part).split('\n\n')
    text = parts.pop() ?? ''
    blocks.push(...parts.map(parseBlock))
  })
  const untilSeen = async (test: () => boolean): Promise<void> => {
    await until(test, () => `other events than ${JSON.stringify(blocks)}`, 5000)
  }
  const closed = new Promise<void>((resolve) => {
    response.on('close', resolve)
  })
  return {
    response,
    blocks,
    data: () => blocks.filter(({ event }) => event === 'data').map(({ data = '' }): unknown => JSON.parse(data)),
    until: untilSeen,
    closed,
    close: () => void response.destroy()
  }
}
