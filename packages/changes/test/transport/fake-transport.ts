import type {
  Candidate,
  ChangeStreamConnection,
  ChangeTransport,
  StreamEntry,
  StreamListener
} from '#src/transport/change-transport.ts'
import { ChangeTransportFailed } from '#src/errors.ts'
import { comparePlaces } from '#src/transport/log-places.ts'

/** The server of a transport in memory. */
export interface FakeServer {
  readonly entries: StreamEntry[]
  holder: Candidate | undefined
  isDown: boolean
  /** It takes no entries. */
  isFull: boolean
  maxBytes: number
  readonly listeners: StreamListener[]
  readonly transport: ChangeTransport
  /** Loses everything. */
  readonly forget: () => void
}

export function fakeServer(leaseTime = 90): FakeServer {
  let mark = 0
  const server: FakeServer = {
    entries: [],
    holder: undefined,
    isDown: false,
    isFull: false,
    maxBytes: 1000,
    listeners: [],
    transport: { name: 'memory', open: () => connectionTo() },
    forget() {
      server.entries.length = 0
      server.holder = undefined
      mark = 0
    }
  }
  const check = (): void => {
    if (server.isDown) throw new ChangeTransportFailed('it is down')
  }
  const isHolder = ({ token }: Candidate): boolean => server.holder?.token === token
  const connectionTo = (): ChangeStreamConnection => ({
    leaseTime,
    maxBytes: async () => server.maxBytes,
    async lease(candidate) {
      check()
      server.holder ??= candidate
      return { isMine: isHolder(candidate), version: server.holder.version }
    },
    async release(candidate) {
      check()
      if (isHolder(candidate)) server.holder = undefined
    },
    async tail() {
      check()
      return { entry: server.entries.at(-1), mark: String(mark) }
    },
    async append(entries, { candidate, mark: seen, clears }) {
      check()
      if (server.isFull) throw new ChangeTransportFailed('it is full')
      if (!isHolder(candidate) || seen !== String(mark)) return undefined
      if (clears) server.entries.length = 0
      server.entries.push(...entries)
      mark += entries.length
      for (const { appended } of server.listeners) appended()
      return String(mark)
    },
    async read(after, limit) {
      check()
      return server.entries.filter(({ place }) => comparePlaces(place, after) > 0).slice(0, limit)
    },
    listen: (listener) => void server.listeners.push(listener),
    announce() {
      for (const { announced } of server.listeners) announced()
    },
    close: async () => undefined
  })
  return server
}
