import {
  type Candidate,
  type ChangeStreamConnection,
  type ChangeTransport,
  type StreamEntry,
  type StreamListener,
  comparePlaces
} from '#src/transport/change-transport.ts'
import { ChangeTransportFailed } from '#src/errors.ts'

/** The server of a transport in memory. */
export interface FakeServer {
  readonly entries: StreamEntry[]
  holder: Candidate | undefined
  isDown: boolean
  /** It takes no entries. */
  isFull: boolean
  maxBytes: number
  readonly listeners: StreamListener[]
  /** How many entries there ever were. */
  mark: number
  readonly transport: ChangeTransport
  /** Loses everything. */
  readonly forget: () => void
}

/** A server that takes leases of so many milliseconds, which do not run out. */
export function fakeServer(leaseTime = 90): FakeServer {
  const server: FakeServer = {
    entries: [],
    holder: undefined,
    isDown: false,
    isFull: false,
    maxBytes: 1000,
    listeners: [],
    mark: 0,
    transport: { name: 'memory', open: () => connectionTo(server, leaseTime) },
    forget() {
      server.entries.length = 0
      server.holder = undefined
      server.mark = 0
    }
  }
  return server
}

const isHolder = ({ holder }: FakeServer, { token }: Candidate): boolean => holder?.token === token

function connectionTo(server: FakeServer, leaseTime: number): ChangeStreamConnection {
  const check = (): void => {
    if (server.isDown) throw new ChangeTransportFailed('it is down')
  }
  return {
    leaseTime,
    maxBytes: async () => server.maxBytes,
    async lease(candidate) {
      check()
      server.holder ??= candidate
      return { isMine: isHolder(server, candidate), version: server.holder.version }
    },
    async release(candidate) {
      check()
      if (isHolder(server, candidate)) server.holder = undefined
    },
    async tail() {
      check()
      return { entry: server.entries.at(-1), mark: String(server.mark) }
    },
    async append(entries, { candidate, mark: seen, clears }) {
      check()
      if (server.isFull) throw new ChangeTransportFailed('it is full')
      if (!isHolder(server, candidate) || seen !== String(server.mark)) return undefined
      if (clears) server.entries.length = 0
      server.entries.push(...entries)
      server.mark += entries.length
      for (const { appended } of server.listeners) appended()
      return String(server.mark)
    },
    async read(after, limit) {
      check()
      return server.entries.filter(({ place }) => comparePlaces(place, after) > 0).slice(0, limit)
    },
    listen: (listener) => void server.listeners.push(listener),
    announce: () => server.listeners.forEach(({ announced }) => announced()),
    close: async () => undefined
  }
}
