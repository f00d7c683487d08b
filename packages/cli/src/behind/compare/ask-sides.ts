import { setMaxListeners } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { originForm, parsedTarget } from '@modelwire/server'
import type { FastifyInstance } from 'fastify'
import type { Answer } from '../../diff/compare.ts'
import type { Request } from '../../diff/traffic.ts'
import { endToEnd, forwardHeaders, hasBody } from '../pass-on/forward-headers.ts'
import type { OldServer } from '../pass-on/old-server.ts'
import type { Owner } from '../routes/route-table.ts'
import { readWithin } from './capture-answer.ts'

/** Header that marks requests sent for comparison, so that counters and logs of an application can ignore them. */
export const comparisonHeader = 'x-modelwire-comparison'

/**
 * A read to be repeated: as its client sent it, but without anything that would make the response partial, conditional or
 * encoded.
 */
export interface Repeatable {
  readonly request: Request
  readonly remoteAddress: string
  /** Headers for the old server, as alternating names and values. */
  readonly forwarded: readonly string[]
}

/** Only these have no body that would have to be kept. */
const withoutBody = new Set(['GET', 'HEAD'])

/** The target to send again; undefined where what parses it might ask for something else than the client did. */
const targetOf = ({ url = '/' }: IncomingMessage): string | undefined => {
  const target = originForm(url)?.target
  return target === undefined ? undefined : parsedTarget(target)
}

/** Whether a request can be repeated: its body is not kept. */
export const isRepeatable = (req: IncomingMessage): boolean =>
  withoutBody.has(req.method ?? '') && !hasBody(req) && targetOf(req) !== undefined

const notRepeated = /^(?:accept-encoding|content-length|if-.*|range)$/i

/** Copies what is needed to repeat a request. */
export function makeRepeatable(req: IncomingMessage, { forwarding }: OldServer): Repeatable {
  const kept = endToEnd(req.rawHeaders).filter(([name]) => !notRepeated.test(name))
  const forwarded = endToEnd(forwardHeaders(req, forwarding))
  return {
    request: {
      method: req.method ?? 'GET',
      path: targetOf(req) ?? '/',
      headers: Object.fromEntries(kept.map(([name, value]) => [name.toLowerCase(), value]))
    },
    remoteAddress: req.socket.remoteAddress ?? '127.0.0.1',
    forwarded: [...forwarded.filter(([name]) => !notRepeated.test(name)).flat(), comparisonHeader, '1']
  }
}

/** Sends a request to one side; undefined if its response is too long to compare. Rejects if there is no response. */
export type Ask = (repeatable: Repeatable) => Promise<Answer | undefined>

/** The options of requests to both sides. */
export interface AskOptions {
  /** Milliseconds that a response may take. */
  readonly timeout: number
  /** Maximum bytes of a body. */
  readonly limit: number
  /** Aborts running requests. */
  readonly stopped: AbortSignal
}

const joined = (headers: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : String(value)])
  )

async function answerOf(status: number, headers: object, body: Readable, limit: number): Promise<Answer | undefined> {
  const read = await readWithin(body, limit)
  return read === undefined ? undefined : { status, headers: joined(headers), text: read.toString() }
}

/** Does work that ends when its time is over, or when the server stops. */
async function within<Result>(
  { timeout, stopped }: AskOptions,
  work: (signal: AbortSignal) => Promise<Result>
): Promise<Result> {
  const limit = new AbortController()
  const end = (): void => limit.abort()
  const timer = setTimeout(end, timeout)
  stopped.addEventListener('abort', end)
  if (stopped.aborted) end()
  try {
    return await work(limit.signal)
  } finally {
    clearTimeout(timer)
    stopped.removeEventListener('abort', end)
  }
}

/**
 * Makes the functions that send requests to each side: to the old server over separate connections, to Modelwire within the
 * process.
 */
export function makeAsking(server: FastifyInstance, old: OldServer, options: AskOptions): Readonly<Record<Owner, Ask>> {
  const { limit, stopped } = options
  // One for each answer that is waited for.
  setMaxListeners(0, stopped)
  const askOld = async ({ request, forwarded }: Repeatable, signal: AbortSignal): Promise<Answer | undefined> => {
    const { method, path } = request
    const { statusCode, headers, body } = await old.forComparisons.request({
      path: old.base + path,
      method,
      headers: [...forwarded],
      signal
    })
    return answerOf(statusCode, headers, body, limit)
  }
  const askNew = async ({ request, remoteAddress }: Repeatable, signal: AbortSignal): Promise<Answer | undefined> => {
    const { statusCode, headers, stream } = await server.inject({
      method: request.method === 'HEAD' ? 'HEAD' : 'GET',
      url: request.path,
      headers: { ...request.headers, [comparisonHeader]: '1' },
      remoteAddress,
      payloadAsStream: true,
      signal
    })
    return answerOf(statusCode, headers, stream(), limit)
  }
  return {
    old: async (repeatable) => within(options, async (signal) => askOld(repeatable, signal)),
    new: async (repeatable) => within(options, async (signal) => askNew(repeatable, signal))
  }
}
