import { type ClientRequest, type IncomingMessage, request as requestHttp, STATUS_CODES } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { maskSecrets } from '@modelwire/server'
import type { FastifyBaseLogger } from 'fastify'
import { errorBody } from '../../errors.ts'
import { endToEnd, forwardHeaders, forwardTarget } from './forward-headers.ts'
import { hostOf, type OldServer } from './old-server.ts'
import { errorOf } from './forward.ts'

/** Open WebSockets between clients and the old server. */
export interface Tunnels {
  readonly open: (req: IncomingMessage, socket: Duplex, head: Buffer) => void
  readonly close: () => void
}

const headOf = (status: number, headers: readonly (readonly [string, string])[]): string =>
  [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...headers.map((pair) => pair.join(': ')), '', ''].join('\r\n')

/** Sends an upgrade request to the old server. */
function ask(old: OldServer, req: IncomingMessage): ClientRequest {
  const { port, protocol } = old.url
  const headers = forwardHeaders(req, old.forwarding)
  return (protocol === 'https:' ? requestHttps : requestHttp)({
    ...hostOf(old.url),
    port,
    method: req.method,
    path: forwardTarget(req, old),
    headers: [...headers, 'Connection', 'Upgrade', 'Upgrade', req.headers.upgrade ?? ''],
    agent: false,
    timeout: old.timeout
  })
}

/** The request, or the error that kept it from being sent. */
function tryAsk(old: OldServer, req: IncomingMessage): ClientRequest | Error {
  try {
    return ask(old, req)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

const factsOf = ({ method, url = '' }: IncomingMessage): object => ({ method, url: maskSecrets(url) })

/** Connects two ends until one of them closes. */
function join(one: Duplex, other: Duplex): void {
  one.once('close', () => other.destroy())
  other.once('close', () => one.destroy())
  one.pipe(other)
  other.pipe(one)
}

interface Failure {
  readonly cause: unknown
  readonly old: OldServer
  readonly req: IncomingMessage
  readonly socket: Duplex
  readonly log: FastifyBaseLogger
}

/** The old server did not answer: its client gets an error, unless it left, or this server ends. */
function answerFailure({ cause, old, req, socket, log }: Failure): void {
  if (socket.destroyed) return
  const error = errorOf(cause, old)
  log.warn({ ...factsOf(req), err: error }, 'the old server did not answer a WebSocket request')
  const headers = [
    ['Content-Type', 'application/json; charset=utf-8'],
    ['Connection', 'close']
  ] as const
  if (socket.writable) socket.end(headOf(error.statusCode, headers) + JSON.stringify(errorBody(error)))
}

/** Makes the tunnels for WebSockets: bytes are forwarded both ways, so that any protocol and extension works. */
export function makeTunnels(old: OldServer, log: FastifyBaseLogger): Tunnels {
  const ends = new Set<Duplex>()
  const keep = (end: Duplex): void => {
    ends.add(end)
    end.once('close', () => ends.delete(end))
    end.on('error', () => end.destroy())
  }
  const open: Tunnels['open'] = (req, socket, head) => {
    keep(socket)
    const upstream = tryAsk(old, req)
    if (upstream instanceof Error) return answerFailure({ cause: upstream, old, req, socket, log })
    upstream.once('timeout', () => upstream.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })))
    upstream.once('error', (cause) => answerFailure({ cause, old, req, socket, log }))
    upstream.once('response', (answer) => {
      log.info({ ...factsOf(req), statusCode: answer.statusCode }, 'the old server refused a WebSocket')
      void refuse(answer, socket)
    })
    upstream.once('upgrade', (answer, far, farHead) => {
      keep(far)
      far.setTimeout(0)
      const upgraded = [
        ['Connection', 'Upgrade'],
        ['Upgrade', answer.headers.upgrade ?? '']
      ] as const
      socket.write(headOf(101, [...upgraded, ...endToEnd(answer.rawHeaders)]))
      socket.write(farHead)
      far.write(head)
      join(socket, far)
    })
    socket.once('close', () => upstream.destroy())
    upstream.end()
  }
  return { open, close: () => ends.forEach((end) => end.destroy()) }
}

/** The old server changes no protocol: its answer ends the connection. */
async function refuse(answer: IncomingMessage, socket: Duplex): Promise<void> {
  socket.write(headOf(answer.statusCode ?? 502, [...endToEnd(answer.rawHeaders), ['Connection', 'close']]))
  try {
    await pipeline(answer, socket)
  } catch {
    // One of the two ends left: nothing can be answered any more.
    socket.destroy()
  }
}
