import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { Connections } from './connections.ts'

/** Milliseconds that running calls get by default: Docker kills a process ten seconds after SIGTERM. */
export const defaultShutdownTime = 8000

const socketChannel = 'net.server.socket'

/**
 * Lets `app.close()` end connections in good order: nothing is accepted any more, calls that run are answered whole with
 * `Connection: close`, connections without a call are closed, and after `time` milliseconds those that are left.
 * @returns waits, while the application closes, until no connection is left
 */
export function endGracefully(app: FastifyInstance, time: number = defaultShutdownTime): () => Promise<void> {
  const connections = new Connections()
  connections.watch(app.server)
  const stopLooking = findFurtherServers(app, connections)
  app.addHook('preClose', (done) => {
    stopLooking()
    connections.end(time)
    done()
  })
  return () => connections.gone()
}

/** Where a name has several addresses, Fastify listens with a server for each. They share the listener of requests. */
function findFurtherServers(app: FastifyInstance, connections: Connections): () => void {
  const onSocket = (message: unknown): void => {
    // As Node documents the channel.
    const { socket } = message as { readonly socket: Socket }
    const server: unknown = Reflect.get(socket, 'server')
    if (!(server instanceof Server) || server === app.server) return
    const own = app.server.listeners('request')
    if (!server.listeners('request').some((listener) => own.includes(listener))) return
    connections.watch(server)
    connections.add(socket)
  }
  app.addHook('onListen', (done) => {
    if (app.addresses().length > 1) subscribe(socketChannel, onSocket)
    done()
  })
  return () => void unsubscribe(socketChannel, onSocket)
}
