import type { Awaitable } from '@modelwire/core/connector'
import type { Runner } from '../statement/run-statement.ts'
import type { RawRow } from '../statement/statement-result.ts'
import type { Sql } from '../sql.ts'
import type { SqlTable } from './sql-table.ts'

/** A query of the catalog about a table. */
export interface TableQuestion<Fact> {
  readonly table: SqlTable
  readonly list: () => Sql
  readonly read: (rows: readonly RawRow[]) => Fact
  /** Another process may change the fact: after some time it is read again. */
  readonly mayChange?: (fact: Fact) => boolean
}

/** An answer, or the promise of it; what was forgotten or learnt meanwhile is another entry. */
interface Entry<Fact> {
  answer?: Awaitable<Fact>
  /** Until then, in milliseconds of the epoch, the answer holds; for good when absent. */
  until?: number
}

/** Milliseconds that an answer holds which another process may change. */
const absentForMs = 30_000

/** Facts from the catalog of a database: each is read once. A missing table may be created later. */
export class TableFacts<Key, Fact> {
  readonly #runner: Pick<Runner, 'run'>
  readonly #known = new Map<Key, Entry<Fact>>()

  readonly #now: () => number

  constructor(runner: Pick<Runner, 'run'>, now: () => number = Date.now) {
    this.#runner = runner
    this.#now = now
  }

  /** A fact; a promise until the database has answered. */
  get(key: Key, question: TableQuestion<Fact>): Awaitable<Fact> {
    const { answer: cached, until } = this.#known.get(key) ?? {}
    if (cached !== undefined && (until === undefined || this.#now() < until)) return cached
    const entry: Entry<Fact> = {}
    this.#known.set(key, entry)
    const pending = this.#ask(key, entry, question)
    entry.answer = pending
    return pending
  }

  /** The fact where the database has answered. */
  known(key: Key): Fact | undefined {
    const answer = this.#known.get(key)?.answer
    return answer instanceof Promise ? undefined : answer
  }

  /** Remembers a fact that is known without asking. */
  learn(key: Key, fact: Fact): void {
    this.#known.set(key, { answer: fact })
  }

  /** Forgets all, since the tables may be others now. Running queries are answered, but not kept. */
  forget(): void {
    this.#known.clear()
  }

  async #ask(key: Key, entry: Entry<Fact>, { table, list, read, mayChange }: TableQuestion<Fact>): Promise<Fact> {
    try {
      const { rows } = await this.#runner.run(list(), { table })
      const fact = read(rows)
      entry.answer = fact
      if (mayChange?.(fact) === true) entry.until = this.#now() + absentForMs
      if (rows.length === 0) this.#drop(key, entry)
      return fact
    } catch (error) {
      this.#drop(key, entry)
      throw error
    }
  }

  #drop(key: Key, entry: Entry<Fact>): void {
    if (this.#known.get(key) === entry) this.#known.delete(key)
  }
}
