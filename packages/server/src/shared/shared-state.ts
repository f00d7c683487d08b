import { SharedStateUnavailable } from '../errors.ts'
import { type Awaitable, makeTurns } from '../promises.ts'
import { randomUUID } from 'node:crypto'
import { type Cells, type Decide, countIn, makeLocalCells, type Lease, takeLease } from './cells.ts'

/** The count within a time window. */
export interface Hits {
  readonly count: number
  /** Milliseconds until counting restarts. */
  readonly left: number
}

/** Receives events of a store. */
export interface StoreListener {
  /** Called with a message that this or another process published. */
  readonly hear: (message: string) => void
  /** Messages may have been lost. */
  readonly miss: () => void
}

/**
 * Where the processes of an application store their shared state: a separate database, such as Redis. Values are short
 * strings. An operation that cannot be executed rejects within about a second.
 */
export interface SharedStore {
  /** Name in logs. */
  readonly name: string
  /** Values may have any length and lifetime: facts may be stored here instead of in models. */
  readonly keepsFacts: boolean
  /** Opens the store. Called once, when data sources are open; also resolves if the store is not available yet. */
  readonly open: (listener: StoreListener) => Promise<void>
  readonly close: () => Promise<void>
  /** The value of a key; undefined if there is none, or if it has expired. */
  readonly read: (key: string) => Promise<string | undefined>
  /**
   * Atomically replaces `from` by `to`; undefined means no value. True if the value was `from`.
   * @param lifetime milliseconds after which `to` is over
   */
  readonly swap: (key: string, from: string | undefined, to: string | undefined, lifetime: number) => Promise<boolean>
  /**
   * Atomically increments a counter. If it is absent, `swap` is used.
   * @param window milliseconds from the first one until counting begins anew
   */
  readonly count?: (key: string, window: number) => Promise<Hits>
  /** Sends a message to all processes, including this one. Absent if the store does not support messages. */
  readonly publish?: (message: string) => Promise<void>
  /** Removes expired values. Absent if the store does so itself. */
  readonly purge?: () => Awaitable<void>
}

/** Others can be faster now and then, not every time. */
const mostTries = 100

type Store = Pick<SharedStore, 'read' | 'swap' | 'count'>

/** Milliseconds that a store which failed is left alone: each attempt to reach it may take long. */
const pause = 1000

/** Called when the store fails for the first time, and when it works again. */
interface TroubleListener {
  readonly fails: (error: unknown) => void
  readonly works: () => void
}

/** Facts that are created once: a value replaces another one, or none. Operations that cannot be executed are refused. */
export type SharedFacts = Pick<SharedStore, 'read' | 'swap'>

/** Called with a message that another process published under a topic; undefined if messages may have been lost. */
export type TopicListener = (message: string | undefined) => void

/** Logs events of the shared state. */
export interface SharedStateLog {
  readonly warn: (data: object, message: string) => void
  readonly info: (data: object, message: string) => void
}

/** The state shared by the application's processes; without a store each of them has its own. */
export interface SharedState {
  /** Other processes share it. */
  readonly isShared: boolean
  /** Messages reach other processes. */
  readonly hasMessages: boolean
  /** Counters and the like. While the store is unavailable, those of this process are used. */
  readonly cells: Cells
  /**
   * Undefined if facts belong in models of the application's database.
   * @throws {SharedStateUnavailable} (its functions)
   */
  readonly facts: SharedFacts | undefined
  /**
   * Rejects if the store does not respond.
   * @throws {SharedStateUnavailable}
   */
  check(): Promise<void>
  /**
   * Takes a lease; undefined while another one holds it.
   * @param lifetime milliseconds after which it is over, unless it is renewed
   * @throws {SharedStateUnavailable}
   */
  lease(name: string, lifetime: number): Promise<Lease | undefined>
  /** Sends a message to the other processes. */
  publish(topic: string, message: string): void
  /** Calls `listener` for messages of other processes. */
  listen(topic: string, listener: TopicListener): void
  /** Uses a store from now on. Call it before the server is ready. */
  use(store: SharedStore): void
  /** Removes expired values, unless the store does so itself. */
  purge(): Promise<void>
  open(log: SharedStateLog): Promise<void>
  close(): Promise<void>
}

/** Milliseconds that an answer of the store is waited for. */
const answerLimit = 2000
/** Values that one process keeps by itself. */
const mostLocal = 100_000

/** The message format: sender, topic and message. */
type Envelope = readonly [sender: string, topic: string, message: string]

const isEnvelope = (value: unknown): value is Envelope =>
  Array.isArray(value) && value.length === 3 && value.every((part) => typeof part === 'string')

/** Undefined for what no process of the application wrote. */
function readEnvelope(text: string): Envelope | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return isEnvelope(parsed) ? parsed : undefined
  } catch {
    // The caller reports it.
    return undefined
  }
}

const limited = (store: SharedStore): Pick<SharedStore, 'read' | 'swap' | 'count'> => {
  const { count } = store
  return {
    read: (key) => withinLimit(() => store.read(key), answerLimit),
    swap: (...args) => withinLimit(() => store.swap(...args), answerLimit),
    ...(count === undefined ? {} : { count: (...args) => withinLimit(() => count(...args), answerLimit) })
  }
}

/** The state of an application: of this process alone until it uses a store. */
class State implements SharedState {
  readonly #sender = randomUUID()
  readonly #local: Cells = makeLocalCells(mostLocal)
  readonly #listeners = new Map<string, Set<TopicListener>>()
  #store: SharedStore | undefined
  #strict: Cells = this.#local
  #current: Cells = this.#local
  #log: SharedStateLog | undefined
  #losesMessages = false
  #check: () => Promise<unknown> = () => Promise.resolve()
  facts: SharedFacts | undefined
  readonly cells: Cells = {
    change: (key, decide) => this.#current.change(key, decide),
    count: (key, window) => this.#current.count(key, window)
  }

  get isShared(): boolean {
    return this.#store !== undefined
  }

  get hasMessages(): boolean {
    return this.#store?.publish !== undefined
  }

  use(store: SharedStore): void {
    this.#store = store
    const answering = limited(store)
    this.#strict = makeStoreCells(answering)
    this.facts = store.keepsFacts ? answering : undefined
    this.#check = () => answering.read('health')
    const data = { sharedState: store.name }
    this.#current = fallingBack(this.#strict, this.#local, {
      fails: (err) =>
        this.#log?.warn(
          { err, ...data },
          'the shared state is unavailable: attempts and rates are counted per process'
        ),
      works: () => this.#log?.info(data, 'the shared state is available again')
    })
  }

  async check(): Promise<void> {
    await this.#check()
  }

  async lease(name: string, lifetime: number): Promise<Lease | undefined> {
    return takeLease(this.#strict, name, lifetime)
  }

  publish(topic: string, message: string): void {
    const envelope: Envelope = [this.#sender, topic, message]
    void this.#send(JSON.stringify(envelope))
  }

  async #send(text: string): Promise<void> {
    try {
      await this.#store?.publish?.(text)
      this.#losesMessages = false
    } catch (err) {
      if (!this.#losesMessages)
        this.#log?.warn({ err, sharedState: this.#store?.name }, 'messages to other processes are lost')
      this.#losesMessages = true
    }
  }

  listen(topic: string, listener: TopicListener): void {
    const listeners = this.#listeners.get(topic) ?? new Set()
    this.#listeners.set(topic, listeners.add(listener))
  }

  async purge(): Promise<void> {
    await this.#store?.purge?.()
  }

  async open(log: SharedStateLog): Promise<void> {
    this.#log = log
    await this.#store?.open({
      hear: (text) => this.#hear(text),
      miss: () => {
        for (const listeners of this.#listeners.values()) for (const listener of listeners) listener(undefined)
      }
    })
  }

  #hear(text: string): void {
    const envelope = readEnvelope(text)
    if (envelope === undefined) {
      this.#log?.warn({ sharedState: this.#store?.name }, 'ignored a message that no process of the application sent')
      return
    }
    const [sender, topic, message] = envelope
    if (sender !== this.#sender) for (const listener of this.#listeners.get(topic) ?? []) listener(message)
  }

  async close(): Promise<void> {
    await this.#store?.close()
  }
}

/** Makes the state of one process, which `use` lets it share with others. */
export const makeSharedState = (): SharedState => new State()

/** Cells that count in this process alone as long as the shared ones fail: what limits attempts is never without a limit. */
function fallingBack(shared: Cells, local: Cells, listener: TroubleListener): Cells {
  let failedAt: number | undefined
  const isLeftAlone = (): boolean => failedAt !== undefined && performance.now() - failedAt < pause
  const reach = async <Result>(work: () => Promise<Result> | Result): Promise<Result> => {
    const result = await work()
    if (failedAt !== undefined) listener.works()
    failedAt = undefined
    return result
  }
  const either = async <Result>(one: () => Promise<Result> | Result, other: () => Promise<Result> | Result) => {
    if (isLeftAlone()) return other()
    try {
      return await reach(one)
    } catch (error) {
      if (failedAt === undefined) listener.fails(error)
      failedAt = performance.now()
      return other()
    }
  }
  return {
    change: <Value, Result>(key: string, decide: Decide<Value, Result>): Promise<Result> =>
      either<Result>(
        () => shared.change(key, decide),
        () => local.change(key, decide)
      ),
    count: (key, window) =>
      either<Hits>(
        () => shared.count(key, window),
        () => local.count(key, window)
      )
  }
}

async function changeIn<Value, Result>(store: Store, key: string, decide: Decide<Value, Result>): Promise<Result> {
  for (let tries = 0; tries < mostTries; tries++) {
    const text = await store.read(key)
    const value = text === undefined ? undefined : (JSON.parse(text) as Value) // as it was put there
    const { result, next, lifetime = 0 } = decide(value)
    if (next === undefined || (next === null && text === undefined)) return result
    if (await store.swap(key, text, next === null ? undefined : JSON.stringify(next), lifetime)) return result
  }
  throw new SharedStateUnavailable('a shared value could not be changed: other processes kept changing it')
}

/**
 * Makes cells in a store that several processes share. Changes of one key by this process wait for each other, so that no more than
 * one of each process competes.
 */
function makeStoreCells(store: Store): Cells {
  const inTurn = makeTurns()
  const change: Cells['change'] = (key, decide) => inTurn(key, () => changeIn(store, key, decide))
  return { change, count: (key, window) => store.count?.(key, window) ?? countIn(change, key, window) }
}

/**
 * Waits for an answer of the store, but not for long: who tries to log in waits for it.
 * @param limit milliseconds
 * @throws {SharedStateUnavailable} there is none in time, or it is an error
 */
async function withinLimit<Result>(work: () => Promise<Result>, limit: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new SharedStateUnavailable(`the shared state did not answer within ${limit} ms`)),
      limit
    )
  })
  try {
    return await Promise.race([work(), late])
  } catch (error) {
    if (error instanceof SharedStateUnavailable) throw error
    throw new SharedStateUnavailable('cannot connect to the shared state', { cause: error })
  } finally {
    clearTimeout(timer)
  }
}
