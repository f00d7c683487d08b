import { DataSourceUnavailable } from '@modelwire/core'
import type { PoolState } from '@modelwire/core/connector'
import type { Connection, ConnectionPool, StatementResult, StatementRunner } from '../dialect/database.ts'
import { runAnywhere } from '../connection/connections.ts'
import type { Fault } from '../dialect/fault.ts'
import { endQuietly, findHost, type Host } from './find-host.ts'

/** The hosts of a data source. */
export interface HostPoolOptions {
  /** In the order in which they are tried. */
  readonly hosts: readonly Host[]
  /** The meaning of an error of the driver. */
  readonly fault: (error: unknown) => Fault | undefined
}

/** The pool of one host while it is in use. */
interface Active {
  readonly host: Host
  readonly pool: ConnectionPool
  readonly direct: StatementRunner
  users: number
  /** Another host has replaced it. */
  isRetired: boolean
}

/** After these another host may be of use. */
const unusable: ReadonlySet<Fault['kind']> = new Set(['lost', 'login', 'database', 'hostNotReady'])

/** Milliseconds for which a refusal of all hosts holds. */
const refusalMs = 100

/** Milliseconds between two looks at a host whose statements take too long. */
const doubtMs = 1000

/**
 * A pool whose connections lead to the first suitable host of a list. It stays with that host until a connection breaks, or
 * the host is no longer suitable: then it searches again, starting with the same one, and closes connections to a former
 * host as soon as they are free.
 */
export function createHostPool(options: HostPoolOptions): ConnectionPool {
  const pool = new HostPool(options)
  return {
    connect: () => pool.connect(),
    direct: { run: (statement) => pool.perform((runner) => runner.run(statement)) },
    state: () => pool.state(),
    end: () => pool.end()
  }
}

class HostPool {
  readonly #options: HostPoolOptions
  #active: Active | undefined
  /** The last one that was used, which may be the next one, too. */
  #last: Active | undefined
  #search: Promise<Active> | undefined
  #refusal: { readonly error: unknown; readonly until: number } | undefined
  #lastDoubt = 0
  #isEnded = false
  readonly #ends = new Set<Promise<void>>()

  constructor(options: HostPoolOptions) {
    this.#options = options
  }

  async connect(isAgain = false): Promise<Connection> {
    const active = await this.#take()
    try {
      return this.#watched(active, await active.pool.connect())
    } catch (error) {
      // Hosts of a list have the same users: another refusal of the login may lock the user.
      const isLogin = this.#options.fault(error)?.kind === 'login'
      const goesOn = this.#note(active, error) && !isAgain && !isLogin
      this.#leave(active)
      if (goesOn) return this.connect(true)
      throw error
    }
  }

  async perform<Result>(work: (runner: StatementRunner) => Promise<Result>, isAgain = false): Promise<Result> {
    const active = await this.#take()
    try {
      return await work(active.direct)
    } catch (error) {
      const goesOn = this.#note(active, error) && !isAgain && this.#wasRefused(error)
      if (!goesOn) throw error
    } finally {
      this.#leave(active)
    }
    return this.perform(work, true)
  }

  async end(): Promise<void> {
    this.#isEnded = true
    const last = this.#last
    if (last !== undefined) this.#close(last)
    await Promise.all(this.#ends)
  }

  /** The connections to the host that is used. */
  state(): PoolState {
    return this.#last?.pool.state?.() ?? { open: 0, idle: 0, waiting: 0 }
  }

  async #take(): Promise<Active> {
    const active = this.#active ?? (await this.#find())
    active.users++
    return active
  }

  /** One search serves all that wait for it. */
  #find(): Promise<Active> {
    const refusal = this.#refusal
    if (refusal !== undefined && performance.now() < refusal.until) throw refusal.error
    this.#search ??= this.#look()
    return this.#search
  }

  async #look(): Promise<Active> {
    try {
      const active = this.#use(await findHost(this.#options.hosts, this.#last?.host))
      this.#refusal = undefined
      return active
    } catch (error) {
      this.#refusal = { error, until: performance.now() + refusalMs }
      throw error
    } finally {
      this.#search = undefined
    }
  }

  #use(host: Host): Active {
    if (this.#isEnded) throw new DataSourceUnavailable('the data source is disconnected')
    const last = this.#last
    if (last?.host === host) {
      this.#active = last
      return last
    }
    const pool = host.open()
    const active = { host, pool, direct: pool.direct ?? runAnywhere(pool), users: 0, isRetired: false }
    this.#active = this.#last = active
    if (last !== undefined) {
      last.isRetired = true
      if (last.users === 0) this.#close(last)
    }
    return active
  }

  #leave(active: Active): void {
    active.users--
    if (active.isRetired && active.users === 0) this.#close(active)
  }

  #close({ pool }: Active): void {
    const end = endQuietly(pool)
    this.#ends.add(end)
    void this.#forget(end)
  }

  async #forget(end: Promise<void>): Promise<void> {
    await end
    this.#ends.delete(end)
  }

  /** Looks for a host again where an error raises doubts about this one. True where the next attempt may find another. */
  #note(active: Active, error: unknown): boolean {
    const kind = this.#options.fault(error)?.kind
    if (kind !== undefined && unusable.has(kind)) {
      if (active === this.#active) this.#active = undefined
      return true
    }
    const isLate = kind === 'timeout' || kind === 'connectTimeout'
    if (isLate && active === this.#active && performance.now() - this.#lastDoubt > doubtMs) this.#doubt()
    return active.isRetired
  }

  /** A host that does not answer, or only takes its time. */
  #doubt(): void {
    this.#lastDoubt = performance.now()
    this.#search ??= this.#look()
    // Who waits for the host gets an error of his own.
    void Promise.allSettled([this.#search])
  }

  /** Nothing was executed. */
  #wasRefused(error: unknown): boolean {
    if (this.#options.fault(error)?.kind === 'hostNotReady') return true
    return error instanceof Error && 'syscall' in error && error.syscall === 'connect'
  }

  #watched(active: Active, connection: Connection): Connection {
    const { readParts } = connection
    return {
      ...(readParts && { readParts: (statement) => this.#watchedParts(active, readParts(statement)) }),
      run: async (statement) => {
        try {
          return await connection.run(statement)
        } catch (error) {
          this.#note(active, error)
          throw error
        }
      },
      release: (isBroken) => {
        connection.release(isBroken)
        this.#leave(active)
      }
    }
  }

  async *#watchedParts(active: Active, parts: AsyncGenerator<StatementResult>): AsyncGenerator<StatementResult> {
    try {
      yield* parts
    } catch (error) {
      this.#note(active, error)
      throw error
    }
  }
}
