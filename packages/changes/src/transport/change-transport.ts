import type { LogPlace } from '@modelwire/core/plugin'
import { type HasDefault, InvalidOption } from '@modelwire/server'
import { type TInteger, type TOptional, Type } from '@sinclair/typebox'

/** Negative if `a` comes before `b`, 0 if they are equal. */
export const comparePlaces = (a: LogPlace, b: LogPlace): number => a[0] - b[0] || a[1] - b[1]

/** The later of two places. */
export const laterPlace = (a: LogPlace, b: LogPlace): LogPlace => (comparePlaces(a, b) < 0 ? b : a)

/** A place as a string, such as `12-34`. */
export const writePlace = ([first, second]: LogPlace): string => `${first}-${second}`

/** A transport as written in a configuration file; all keys but `type` are settings of its module. */
export interface TransportSettings {
  readonly type: 'redis' | 'nats'
  readonly [setting: string]: unknown
}

/** A module whose default export creates a transport. */
interface TransportModule {
  readonly name: string
  /** The packages that it requires. */
  readonly packages: readonly string[]
}

/** The module of each type. */
const modules: ReadonlyMap<string, TransportModule> = new Map([
  ['redis', { name: '@modelwire/redis/changes', packages: ['@modelwire/redis', '@modelwire/changes'] }],
  [
    'nats',
    {
      name: '@modelwire/changes/nats',
      packages: ['@modelwire/changes', '@nats-io/jetstream', '@nats-io/kv', '@nats-io/transport-node']
    }
  ]
])

/** The transport setting for when the lease of the process that fills a stream expires. */
export const leaseTimeSetting: TOptional<TInteger & HasDefault> = Type.Optional(
  Type.Integer({
    minimum: 100,
    default: 3000,
    unit: 'ms',
    description: 'milliseconds until another process takes over filling the stream when the current one is gone'
  })
)

/** The fields of a stream entry, as strings that other systems can read. */
export interface StreamTexts {
  /** The database log that contains the change. */
  readonly log: string
  /** The version of the models with which the row was read: other models read other properties. */
  readonly version: string
  readonly position: string
  /** The preceding place: the log has no change between the two. */
  readonly previous: string
  /** `start` is not a change: the stream starts there, while the log goes further back. */
  readonly kind: string
  readonly model: string
  /** When the change was made, in ISO 8601. */
  readonly at: string
}

/** An entry of a stream of changes. */
export interface StreamEntry {
  readonly place: LogPlace
  readonly texts: StreamTexts
  /** JSON as written by `encodeRow`; undefined if there is no row, or if it is too large for the stream. */
  readonly row: string | undefined
}

/** A process that wants to fill a stream. */
export interface Candidate {
  /** Different for each process and start. */
  readonly token: string
  /** The version of its models. */
  readonly version: string
}

/** The current holder of the right to fill a stream. */
export interface Lease {
  /** True if the asking candidate holds it. */
  readonly isMine: boolean
  /** The version of the models of that process. */
  readonly version: string
}

/** The end of a stream. */
export interface StreamTail {
  /** The last entry; undefined if there is none. */
  readonly entry: StreamEntry | undefined
  /** Changes whenever something is appended. */
  readonly mark: string
}

/** The condition for appending entries, and how. */
export interface Appending {
  readonly candidate: Candidate
  /** The end that the stream must still have. */
  readonly mark: string
  /** Removes the previous contents of the stream. */
  readonly clears: boolean
}

/** Receives notifications of a stream. */
export interface StreamListener {
  /** There may be new entries. */
  readonly appended: () => void
  /** A process has committed changes. */
  readonly announced: () => void
}

/**
 * The stream of the changes of one data source. Each method rejects in bounded time if the server does not answer.
 * @throws {ChangeTransportFailed} the server is unreachable, or refuses
 */
export interface ChangeStreamConnection {
  /** Milliseconds after which a lease that was not renewed expires. */
  readonly leaseTime: number
  /** Maximum bytes of an entry. */
  maxBytes(): Promise<number>
  /** Takes the lease if it is free, renews it if the candidate holds it, and returns its current state. */
  lease(candidate: Candidate): Promise<Lease>
  /** Releases the lease. */
  release(candidate: Candidate): Promise<void>
  tail(): Promise<StreamTail>
  /**
   * Appends entries in order; returns the new mark, or undefined if the stream has another end, or the lease another
   * holder.
   */
  append(entries: readonly StreamEntry[], appending: Appending): Promise<string | undefined>
  /** The first entries after a place. */
  read(after: LogPlace, limit: number): Promise<readonly StreamEntry[]>
  /** Listens for appended entries and announcements; some may be missed. */
  listen(listener: StreamListener): void
  /** Notifies the process that fills the stream that the log has new changes. Never throws. */
  announce(): void
  close(): Promise<void>
}

/** Carries the changes that one process reads from a database's log to all processes. */
export interface ChangeTransport {
  /** Name for messages. */
  readonly name: string
  /** Opens the stream of a data source. It does not wait for the server, which may become available later. */
  open(dataSource: string): ChangeStreamConnection
}

/**
 * Makes a transport from plain settings, such as `{ type: 'redis', url: '…' }`.
 * @param importModule imports a module of a package installed in the application, such as `(name) => import(name)` in its own file
 * @throws {InvalidOption} the type is unknown, a package that it needs is not installed, or a setting is malformed
 */
export async function makeTransport(
  { type, ...settings }: TransportSettings,
  importModule: (name: string) => Promise<unknown>
): Promise<ChangeTransport> {
  const module = modules.get(type)
  const key = 'transport.type'
  if (module === undefined) throw new InvalidOption('the type of a transport must be "redis" or "nats"', { key })
  const made = await importModule(module.name).catch((cause: unknown) => {
    const message = `cannot load ${module.name}, which requires: npm install ${module.packages.join(' ')}`
    throw new InvalidOption(message, { key }, { cause })
  })
  // It is a package of this project.
  const { default: make } = made as { readonly default: (settings: object) => ChangeTransport }
  return make(settings)
}

/** Parses a place; undefined if the text is invalid. */
export function readPlace(text: string): LogPlace | undefined {
  const [, first, second] = /^(\d{1,16})-(\d{1,16})$/.exec(text) ?? []
  return first === undefined || second === undefined ? undefined : [Number(first), Number(second)]
}
