import { setTimeout } from 'node:timers/promises'
import { ChangeTransportFailed } from '../errors.ts'
import { type JetStreamClient, jetstream, type JetStreamManager } from '@nats-io/jetstream'
import { type KV, Kvm } from '@nats-io/kv'
import { connect, type NatsConnection, nanos } from '@nats-io/transport-node'
import { onNats } from './nats-errors.ts'
import { connectionOptions, type FilledSettings } from './settings.ts'

/** A stream and its lease on a connected server. */
export interface OpenStream {
  readonly connection: NatsConnection
  readonly js: JetStreamClient
  readonly jsm: JetStreamManager
  readonly leases: KV
}

/** The names of a stream. */
export interface StreamNames {
  readonly stream: string
  /** The prefix of its subjects. */
  readonly subject: string
}

/** A stream that others have made stays as it is. */
async function makeStream(
  jsm: JetStreamManager,
  { stream, subject }: StreamNames,
  settings: FilledSettings
): Promise<void> {
  const names = await jsm.streams.names(`${subject}.changes.>`).next()
  if (names.includes(stream)) return
  await jsm.streams.add({
    name: stream,
    subjects: [`${subject}.changes.>`],
    max_msgs: settings.maxLength,
    max_age: nanos(settings.maxAge * 1000),
    num_replicas: settings.replicas,
    allow_direct: true
  })
}

async function open(settings: FilledSettings, names: StreamNames): Promise<OpenStream> {
  const connection = await connect(connectionOptions(settings))
  try {
    const js = jetstream(connection, { timeout: settings.timeout })
    const jsm = await js.jetstreamManager()
    await makeStream(jsm, names, settings)
    const leases = await new Kvm(js).create(`${names.stream}-lease`, {
      ttl: settings.leaseTime,
      history: 1,
      replicas: settings.replicas
    })
    return { connection, js, jsm, leases }
  } catch (error) {
    await connection.close()
    throw error
  }
}

/** Connects on first use, and again after a failure; the client itself reconnects. */
export class StreamOpener {
  readonly #settings: FilledSettings
  readonly #names: StreamNames
  readonly #onOpen: (open: OpenStream) => void
  #opening: Promise<OpenStream> | undefined
  #isClosed = false

  constructor(settings: FilledSettings, names: StreamNames, onOpen: (open: OpenStream) => void) {
    this.#settings = settings
    this.#names = names
    this.#onOpen = onOpen
  }

  /**
   * Connects, waiting no longer than for a response.
   * @throws {ChangeTransportFailed}
   */
  async get(): Promise<OpenStream> {
    this.#opening ??= this.#open()
    const opening = this.#opening
    const timer = new AbortController()
    try {
      return await onNats(async () => Promise.race([opening, this.#timeout(timer.signal)]))
    } finally {
      timer.abort()
    }
  }

  async #timeout(signal: AbortSignal): Promise<never> {
    await Promise.allSettled([setTimeout(this.#settings.timeout, undefined, { signal })])
    throw new ChangeTransportFailed('cannot connect to NATS')
  }

  /** Recreates the stream, which the server has lost. */
  async reset(): Promise<void> {
    const opening = this.#opening
    this.#opening = undefined
    await opening?.then(({ connection }) => connection.close()).catch(() => undefined)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.reset()
  }

  async #open(): Promise<OpenStream> {
    try {
      const opened = await open(this.#settings, this.#names)
      if (this.#isClosed) await opened.connection.close()
      else this.#onOpen(opened)
      return opened
    } catch (error) {
      this.#opening = undefined
      throw error
    }
  }
}
