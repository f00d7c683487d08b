import type { ConnectionPool, Database, PartLimits, StatementRunner, ReplicaHosts } from '../dialect/database.ts'
import { runAnywhere } from '../connection/connections.ts'
import { partsReader, type ReadParts } from '../connection/read-parts.ts'
import type { SqlDialect } from '../dialect/dialect.ts'
import { type Sql, writeStatement, type RawRow } from '../sql.ts'

/** A position of the primary, and when it was requested, by the clock of this process. */
interface Sample {
  readonly position: string
  readonly at: number
}

/** How to read on a replica. */
export interface ReplicaReads {
  readonly direct: StatementRunner
  /** Undefined if reads are whole. */
  readonly readParts: ReadParts | undefined
}

interface Replica {
  readonly open: () => ConnectionPool
  pool: (ReplicaReads & { readonly end: () => Promise<void> }) | undefined
  /** The replica has everything that was written before this time. */
  reachedAt: number
  /** The sample that it has not reached yet. */
  pending: Sample | undefined
  isChecking: boolean
}

/** Milliseconds between two checks, where the bound does not ask for more of them. */
const checkMs = 1000

/**
 * Replicas of a database, using those that lag by at most `maxLag`. Their progress is queried from the first read on, and
 * measured by the clock of this process only: a replica has everything written before the time when the primary was at a
 * position that the replica has since reached. While the primary does not answer, nothing new can be missed: replicas stay
 * as current as they were when it did.
 */
export class Replicas {
  readonly #hosts: ReplicaHosts
  readonly #dialect: SqlDialect
  readonly #parts: PartLimits | undefined
  readonly #primary: () => StatementRunner
  readonly #replicas: readonly Replica[]
  #sample: Sample | undefined
  #timer: NodeJS.Timeout | undefined
  #isSampling = false
  #isPrimaryAway = false
  #turn = 0

  constructor(
    hosts: ReplicaHosts,
    { dialect, parts }: Pick<Database, 'dialect' | 'parts'>,
    primary: () => StatementRunner
  ) {
    this.#parts = parts
    this.#hosts = hosts
    this.#dialect = dialect
    this.#primary = primary
    this.#replicas = hosts.hosts.map(({ open }) => ({
      open,
      pool: undefined,
      reachedAt: -Infinity,
      pending: undefined,
      isChecking: false
    }))
  }

  /** The next replica that is current, and what to call when it fails; undefined if there is none. Errors are the driver's. */
  next(): (ReplicaReads & { readonly fail: () => void }) | undefined {
    this.#watch()
    const now = performance.now()
    const oldest = (this.#isPrimaryAway ? (this.#sample?.at ?? Infinity) : now) - this.#hosts.maxLag
    const current = this.#replicas.filter(({ reachedAt }) => reachedAt >= oldest)
    const replica = current[this.#turn++ % current.length]
    if (replica?.pool === undefined) return undefined
    const { direct, readParts } = replica.pool
    return { direct, readParts, fail: () => forget(replica) }
  }

  async close(): Promise<void> {
    const ends = this.#replicas.map(async (replica) => {
      const { pool } = replica
      forget(replica)
      replica.pool = undefined
      await pool?.end()
    })
    clearInterval(this.#timer)
    this.#timer = undefined
    await Promise.all(ends)
  }

  /** Starts querying replicas after the first read, so that they are known before the next one. */
  #watch(): void {
    if (this.#timer !== undefined) return
    this.#timer = setInterval(() => this.#check(), Math.min(checkMs, this.#hosts.maxLag / 4))
    // It keeps no process from ending.
    this.#timer.unref()
    this.#check()
  }

  #check(): void {
    void this.#takeSample(performance.now())
    for (const replica of this.#replicas) if (!replica.isChecking) void this.#checkReplica(replica)
  }

  async #takeSample(at: number): Promise<void> {
    // One that does not answer is as good as away.
    if (this.#isSampling) this.#isPrimaryAway = true
    if (this.#isSampling) return
    this.#isSampling = true
    try {
      const row = await this.#ask(this.#primary(), this.#hosts.lag.position)
      const position = textOf(row['position'])
      if (position !== '') this.#sample = { position, at }
      this.#isPrimaryAway = false
    } catch {
      this.#isPrimaryAway = true
    } finally {
      this.#isSampling = false
    }
  }

  async #checkReplica(replica: Replica): Promise<void> {
    replica.isChecking = true
    try {
      const { direct } = this.#poolOf(replica)
      const row = await this.#ask(direct, this.#hosts.lag.state)
      if (Number(row['copies']) === 1) this.#note(replica, textOf(row['position']))
      // One that is promoted has what it had, and is soon found as the primary.
      else if (!this.#isPrimaryAway) forget(replica)
    } catch {
      forget(replica)
    } finally {
      replica.isChecking = false
    }
  }

  /** Records a replica's progress, dated from when the primary was at that position. */
  #note(replica: Replica, position: string): void {
    const { hasReached } = this.#hosts.lag
    for (const sample of [replica.pending, this.#sample]) {
      if (sample === undefined) continue
      if (hasReached(position, sample.position)) {
        replica.reachedAt = Math.max(replica.reachedAt, sample.at)
        replica.pending = undefined
      } else replica.pending ??= sample
    }
  }

  #poolOf(replica: Replica): ReplicaReads {
    if (replica.pool !== undefined) return replica.pool
    const pool = replica.open()
    const readParts = partsReader(pool, this.#parts)
    replica.pool = { end: () => pool.end(), direct: pool.direct ?? runAnywhere(pool), readParts }
    return replica.pool
  }

  async #ask(runner: StatementRunner, question: Sql): Promise<RawRow> {
    const { rows } = await runner.run(writeStatement(this.#dialect.notation, question))
    return rows[0] ?? {}
  }
}

function forget(replica: Replica): void {
  replica.reachedAt = -Infinity
  replica.pending = undefined
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
