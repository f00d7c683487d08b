import type { Awaitable } from '@modelwire/server'
import type { Runner } from '../statement/run-statement.ts'
import type { RawRow, Sql } from '../sql.ts'
import type { SqlTable } from '../table/sql-table.ts'
import { isDeepStrictEqual } from 'node:util'

/** A catalog query about a table. */
export interface TableQuestion<Fact> {
  readonly table: SqlTable
  readonly list: () => Sql
  readonly read: (rows: readonly RawRow[]) => Fact
  /** Another process may change the fact: after some time it is read again. */
  readonly mayChange?: (fact: Fact) => boolean
}

/** A result, or the promise of it; invalidated or updated facts get a new entry. */
interface Entry<Fact> {
  answer?: Awaitable<Fact>
  /** The previous fact, used until the database has answered. */
  readonly last?: Fact | undefined
  /** Time, in milliseconds of the epoch, until which the result is valid; absent: forever. */
  until?: number
}

/** Milliseconds that an answer holds which another process may change. */
const absentForMs = 30_000

/** Facts from the catalog of a database, each read once. A missing table may be created later. */
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
    const entry: Entry<Fact> = { last: this.known(key) }
    this.#known.set(key, entry)
    const pending = this.#ask(key, entry, question)
    // Everyone who still waits gets the error; all of them may have left.
    void Promise.allSettled([pending])
    entry.answer = pending
    return pending
  }

  /** The fact, if the database has answered; the same object as long as nothing changes. */
  known(key: Key): Fact | undefined {
    const { answer, last } = this.#known.get(key) ?? {}
    return answer instanceof Promise ? last : answer
  }

  /** Clears the cache, since the tables may have changed. Running queries are answered, but not cached. */
  forget(): void {
    this.#known.clear()
  }

  async #ask(key: Key, entry: Entry<Fact>, { table, list, read, mayChange }: TableQuestion<Fact>): Promise<Fact> {
    try {
      const { rows } = await this.#runner.run(list(), { table })
      const found = read(rows)
      const { last } = entry
      const fact = last !== undefined && isDeepStrictEqual(found, last) ? last : found
      entry.answer = fact
      if (mayChange?.(fact) === true) entry.until = this.#now() + absentForMs
      if (rows.length === 0) this.#drop(key, entry)
      return fact
    } catch (error) {
      const { last } = entry
      if (last === undefined) this.#drop(key, entry)
      else {
        entry.answer = last
        entry.until = 0
      }
      throw error
    }
  }

  #drop(key: Key, entry: Entry<Fact>): void {
    if (this.#known.get(key) === entry) this.#known.delete(key)
  }
}
