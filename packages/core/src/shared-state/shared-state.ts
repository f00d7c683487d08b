import { randomUUID } from 'node:crypto'
import type { Awaitable } from '../values/awaitable.ts'
import type { Cells } from './cells.ts'
import { fallingBack } from './falling-back.ts'
import { type Lease, takeLease } from './lease.ts'
import { makeLocalCells } from './local-cells.ts'
import type { SharedStore } from './shared-store.ts'
import { makeStoreCells } from './store-cells.ts'
import { withinLimit } from './within-limit.ts'

/** Facts that come into being once: a value is put in the place of another one, or of none. What cannot be carried out is refused. */
export type SharedFacts = Pick<SharedStore, 'read' | 'swap'>

/** Called with what another process published under a topic; undefined where messages may have been lost. */
export type TopicListener = (message: string | undefined) => void

/** Logs what happens to the shared state. */
export interface SharedStateLog {
  readonly warn: (data: object, message: string) => void
  readonly info: (data: object, message: string) => void
}

/** What the processes of an application share; without a store each of them has its own. */
export interface SharedState {
  /** Other processes see it. */
  readonly isShared: boolean
  /** Messages reach other processes. */
  readonly hasMessages: boolean
  /** Counters and the like. While the store fails, those of this process count. */
  readonly cells: Cells
  /** Undefined where facts belong into models of the application's database. @throws {SharedStateUnavailable} (its functions) */
  readonly facts: SharedFacts | undefined
  /** Rejects where the store gives no answer. @throws {SharedStateUnavailable} */
  check(): Promise<void>
  /**
   * Takes a lease; undefined while another one holds it.
   * @param lifetime milliseconds after which it is over, unless it is renewed
   * @throws {SharedStateUnavailable}
   */
  lease(name: string, lifetime: number): Awaitable<Lease | undefined>
  /** Sends a message to the other processes. */
  publish(topic: string, message: string): void
  /** Calls `listener` for messages of other processes. */
  listen(topic: string, listener: TopicListener): void
  /** Shares by a store from now on. Call it before the server is ready. */
  use(store: SharedStore): void
  /** Removes what is over, where the store does not do so by itself. */
  purge(): Promise<void>
  open(log: SharedStateLog): Promise<void>
  close(): Promise<void>
}

/** Milliseconds that an answer of the store is waited for. */
const answerLimit = 2000
/** Values that one process keeps by itself. */
const mostLocal = 100_000

/** What goes over the wire: who sends it, about what, and what. */
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
        this.#log?.warn({ err, ...data }, 'the shared state fails: attempts and rates are counted per process'),
      works: () => this.#log?.info(data, 'the shared state works again')
    })
  }

  async check(): Promise<void> {
    await this.#check()
  }

  lease(name: string, lifetime: number): Awaitable<Lease | undefined> {
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
      this.#log?.warn(
        { sharedState: this.#store?.name },
        'a message was left out that no process of the application sent'
      )
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
