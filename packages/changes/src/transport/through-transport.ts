import type { ConnectorChangeLog, LogOrder, ModelType } from '@modelwire/core/plugin'
import type { ChangeTransport } from './change-transport.ts'
import { StreamReader } from './stream-reader.ts'
import { StreamRelay } from './stream-relay.ts'
import { TransportHealth } from './transport-health.ts'

/** Where a process takes changes from. */
export interface ChangeSource extends Pick<ConnectorChangeLog, 'unprepared' | 'latest' | 'read' | 'listen'> {
  readonly start?: () => void
  readonly stop?: () => Promise<void>
  /** Rejects while the changes cannot be taken from there. Absent where a check of the data source says so. */
  readonly check?: () => Promise<void>
  /** Says that this process has committed changes; true where it is the one who has to look at the log. */
  readonly announce?: () => boolean
}

/** What changes are carried with. */
export interface TransportParts {
  readonly transport: ChangeTransport
  readonly dataSource: string
  readonly source: ConnectorChangeLog & { readonly order: LogOrder }
  readonly models: readonly ModelType[]
  /** Milliseconds. */
  readonly pollInterval: number
  /** Called when this process cannot fill the stream for another reason than the transport, and with undefined when it can again. */
  readonly onState: (error: unknown) => void
  /** Called when the stream cannot be used, and with undefined when it can again. */
  readonly onTransportState: (error: unknown) => void
}

/** Milliseconds during which several commits are announced at once. */
const announcementDelay = 5

/** One run of a source, from its start to its stop. */
interface Run {
  readonly relay: StreamRelay
  readonly reader: StreamReader
  readonly listen: (wake: () => void) => void
  readonly check: () => Promise<void>
  readonly announce: () => void
  readonly stop: () => Promise<void>
}

function openRun({ transport, dataSource, source, onTransportState, ...parts }: TransportParts): Run {
  const stream = transport.open(dataSource)
  const health = new TransportHealth(onTransportState)
  const shared = { source, order: source.order, stream, health }
  const relay = new StreamRelay({ ...shared, ...parts })
  let announcing: NodeJS.Timeout | undefined
  const announceSoon = (): void => {
    announcing ??= setTimeout(() => {
      announcing = undefined
      stream.announce()
    }, announcementDelay).unref()
  }
  return {
    relay,
    reader: new StreamReader({ ...shared, self: () => relay.reader }),
    listen: (appended) => stream.listen({ appended, announced: () => void (relay.isLeading && relay.touch()) }),
    check: () => health.check(),
    announce: () => (relay.isLeading ? relay.touch() : announceSoon()),
    async stop() {
      clearTimeout(announcing)
      await relay.stop()
      await stream.close()
    }
  }
}

/** Takes changes from a stream that one of all processes fills from the database's log. */
export function throughTransport(parts: TransportParts): ChangeSource {
  const { source } = parts
  let run: Run | undefined
  return {
    unprepared: () => source.unprepared(),
    latest: async () => (run === undefined ? source.latest() : run.reader.latest()),
    read: async (after, limit) => (run?.reader ?? source).read(after, limit),
    async listen(wake) {
      run?.listen(wake)
      return async () => undefined
    },
    check: async () => run?.check(),
    announce() {
      if (run?.relay.reader === undefined) return true
      run.announce()
      return false
    },
    start() {
      if (run !== undefined) return
      run = openRun(parts)
      run.relay.start()
    },
    async stop() {
      await run?.stop()
      run = undefined
    }
  }
}
