import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { Server as TlsServer } from 'node:tls'
import { answeredElsewhere } from '@modelwire/server'
import type { Gate } from './gate.ts'
import type { Tunnels } from './pass-on/tunnel.ts'

/** Emits an event as the server itself does. */
type Emit = (event: string | symbol, ...args: readonly unknown[]) => boolean

/**
 * Inserts a gate before all listeners of a server, including what an application attaches to it, such as socket.io. The
 * server itself continues to listen, and ends as usual.
 */
export function intercept(server: Server, gate: Gate, tunnels: Tunnels): void {
  // `emit` takes any event with its arguments.
  const emit = server.emit.bind(server) as Emit
  const onRequest = (req: IncomingMessage, res: ServerResponse): boolean => {
    if (gate.enter(req, res) === 'new') return emit('request', req, res)
    emit(answeredElsewhere, req, res)
    void gate.forward(req, res)
    return true
  }
  const onUpgrade = (req: IncomingMessage, socket: Duplex, head: Buffer): boolean => {
    // RFC 6455, section 4.1: the method is GET. Other requests have bodies, which a tunnel would lose.
    const isSocket = req.method === 'GET' && req.headers.upgrade?.toLowerCase() === 'websocket'
    const isOfOld = isSocket && gate.ownerOfSocket(req) === 'old'
    if (!isOfOld && !(isSocket && server.listenerCount('upgrade') > 1)) {
      beginAgain(req, socket, head)
      return true
    }
    gate.countSocket(req)
    if (!isOfOld) return emit('upgrade', req, socket, head)
    tunnels.open(req, socket, head)
    return true
  }
  const serve = connectionListener(server)
  /** Clients may offer to upgrade to another protocol, such as HTTP/2, with any request: it is answered in the current one. */
  const beginAgain = (req: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.unshift(Buffer.concat([headWithoutUpgrade(req), head]))
    serve(socket)
  }
  // Node announces changes of the protocol only to those who listen.
  server.on('upgrade', () => undefined)
  Object.assign(server, {
    emit: (event: string | symbol, ...args: readonly unknown[]): boolean => {
      if (event === 'request') return onRequest(...(args as [IncomingMessage, ServerResponse])) // its arguments
      if (event === 'upgrade') return onUpgrade(...(args as [IncomingMessage, Duplex, Buffer])) // likewise
      return emit(event, ...args)
    }
  })
}

/**
 * Node's own function that serves HTTP on a connection. Other listeners have received the connection: they are not
 * called again, and a connection of TLS does not begin another one within it.
 */
function connectionListener(server: Server): (socket: Duplex) => void {
  const event = server instanceof TlsServer ? 'secureConnection' : 'connection'
  const own = server.listeners(event).find(({ name }) => name === 'connectionListener')
  return (socket) => void (own === undefined ? server.emit(event, socket) : Reflect.apply(own, server, [socket]))
}

const ofUpgrade = new Set(['connection', 'upgrade', 'http2-settings'])

/** The head of a request as it came, without the offer of another protocol. */
function headWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    if (!ofUpgrade.has((rawHeaders[at] ?? '').toLowerCase())) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`)
  return Buffer.from([...lines, '', ''].join('\r\n'), 'latin1')
}
