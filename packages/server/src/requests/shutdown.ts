import { type IncomingMessage, Server, type ServerResponse } from 'node:http'
import type { ServerHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import { AsyncLocalStorage } from 'node:async_hooks'

/** Milliseconds for which a connection that carries no call is kept during the end: its next request may be on its way. */
const quietTime = 1000

/**
 * Server event for a request that its listeners do not see, since something else answers it, with the arguments of
 * `request`: emit it so that shutdown waits for the response.
 */
export const answeredElsewhere = 'modelwire:answeredElsewhere'

/** A connection and its pending responses, the oldest first. */
interface Connection {
  /** With TLS, the raw socket until the handshake is complete. */
  socket: Duplex
  readonly answers: Set<ServerResponse>
  /** When it was opened, or its last response was read. */
  quietSince: number
}

/** A raw socket and the one over TLS on top of it have the same addresses. */
const keyOf = (socket: Socket): unknown =>
  socket.remotePort === undefined ? socket : `${socket.remoteAddress} ${socket.remotePort} ${socket.localPort}`

/** An upgraded connection has no parser of HTTP any more: it belongs to the handler of the upgrade. */
const isUpgraded = (socket: object): boolean => Reflect.get(socket, 'parser') === null

/**
 * Tracks the connections of a server, so that it can shut down without aborting a response. Node by itself keeps those that
 * never sent anything, answers running requests with `keep-alive`, and destroys responses that were written but not yet
 * read.
 */
export class Connections {
  readonly #open = new Map<unknown, Connection>()
  /** Looks up connections once, since a string key costs more than the rest of tracking a response. */
  readonly #bySocket = new WeakMap<Socket, Connection>()
  readonly #sessions = new Set<ServerHttp2Session>()
  readonly #servers = new Set<Server>()
  #deadline: NodeJS.Timeout | undefined
  #isEnding = false
  #whenGone = (): void => {}

  /** Tracks a server's connections. */
  watch(server: Server): void {
    if (this.#servers.has(server)) return
    this.#servers.add(server)
    server.on('connection', (socket) => this.add(socket))
    server.on('secureConnection', (socket: Socket) => this.#secure(socket))
    server.on('session', (session: ServerHttp2Session) => this.#addSession(session))
    const add = (request: IncomingMessage, answer: ServerResponse): void => this.#addAnswer(request, answer)
    server.prependListener('request', add)
    server.on(answeredElsewhere, add)
    // `server.close` calls it. Node's own counts an answer as sent once it was written.
    if (typeof server.closeIdleConnections === 'function') server.closeIdleConnections = () => this.#settle()
  }

  /** Tracks one connection. */
  add(socket: Socket): void {
    const key = keyOf(socket)
    const connection: Connection = { socket, answers: new Set(), quietSince: Date.now() }
    this.#open.set(key, connection)
    socket.once('close', () => this.#remove(key, connection))
    if (this.#isEnding) this.#letGo(connection)
  }

  /**
   * Stops accepting connections and closes the existing ones: at once, or when their responses are sent, and all remaining
   * ones after `time` milliseconds.
   */
  end(time: number): void {
    this.#isEnding = true
    for (const server of this.#servers) server.close()
    for (const session of this.#sessions) session.close()
    this.#settle()
    this.#deadline = setTimeout(() => this.#destroyAll(), time)
  }

  /** Resolves when none is left. */
  async gone(): Promise<void> {
    if (this.#open.size + this.#sessions.size > 0)
      await new Promise<void>((resolve) => {
        this.#whenGone = resolve
      })
    clearTimeout(this.#deadline)
  }

  #secure(socket: Socket): void {
    const connection = this.#open.get(keyOf(socket))
    if (connection !== undefined) connection.socket = socket
  }

  #addSession(session: ServerHttp2Session): void {
    this.#open.delete(keyOf(session.socket))
    this.#sessions.add(session)
    session.once('close', () => {
      this.#sessions.delete(session)
      this.#tellWhenGone()
    })
  }

  #addAnswer({ socket }: IncomingMessage, answer: ServerResponse): void {
    const connection = this.#bySocket.get(socket) ?? this.#open.get(keyOf(socket))
    if (connection === undefined) return
    this.#bySocket.set(socket, connection)
    connection.answers.add(answer)
    // The last of several that wait is the one that closes the connection.
    if (this.#isEnding) answer.shouldKeepAlive = false
    answer.once('close', () => {
      connection.answers.delete(answer)
      connection.quietSince = Date.now()
      if (this.#isEnding) this.#letGo(connection)
    })
  }

  #remove(key: unknown, connection: Connection): void {
    // The same addresses may have come back meanwhile.
    if (this.#open.get(key) === connection) this.#open.delete(key)
    this.#tellWhenGone()
  }

  #tellWhenGone(): void {
    if (this.#open.size + this.#sessions.size === 0) this.#whenGone()
  }

  #settle(): void {
    for (const connection of this.#open.values()) this.#letGo(connection)
  }

  #letGo(connection: Connection): void {
    const { socket, answers, quietSince } = connection
    const last = [...answers].at(-1)
    if (last !== undefined) last.shouldKeepAlive = false
    if (last !== undefined || isUpgraded(socket)) return
    const wait = quietSince + quietTime - Date.now()
    if (wait <= 0) socket.destroy()
    // What has arrived by then is read first.
    else setTimeout(() => setImmediate(() => this.#letGo(connection)), wait + 1)
  }

  #destroyAll(): void {
    for (const { socket } of this.#open.values()) socket.destroy()
    for (const session of this.#sessions) session.destroy()
  }
}

// What builds an application is far from the command or test that wants it without a port.
const places = new AsyncLocalStorage<true>()

/** Runs `work`: servers that it creates open no port with `listen`. For commands and tests that do not need it. */
export const withoutListening = <Result>(work: () => Result): Result => places.run(true, work)

/** True within `withoutListening`. */
export const isWithoutListening = (): boolean => places.getStore() === true

/** Default time in milliseconds for running calls: Docker kills a process ten seconds after SIGTERM. */
export const defaultShutdownTime = 8000

const socketChannel = 'net.server.socket'

/**
 * Makes `app.close()` shut down gracefully: no new connections are accepted, running calls are answered completely with
 * `Connection: close`, idle connections are closed, and after `time` milliseconds the remaining ones, too.
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
