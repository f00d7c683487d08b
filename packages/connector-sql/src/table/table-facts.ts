import type { Awaitable } from '@modelwire/core'
import type { RawRow, Runner } from '../run-statement.ts'
import type { Sql } from '../sql.ts'
import type { SqlTable } from './sql-table.ts'

/** What the catalog of a database is asked about a table. */
export interface TableQuestion<Fact> {
  readonly table: SqlTable
  readonly list: () => Sql
  readonly read: (rows: readonly RawRow[]) => Fact
}

/** Facts that the catalog of a database tells: each is asked for once. A table that is missing may come yet. */
export class TableFacts<Key, Fact> {
  readonly #runner: Pick<Runner, 'run'>
  readonly #known = new Map<Key, Awaitable<Fact>>()

  constructor(runner: Pick<Runner, 'run'>) {
    this.#runner = runner
  }

  /** A fact; a promise of it as long as the database was not asked. */
  get(key: Key, question: TableQuestion<Fact>): Awaitable<Fact> {
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const asking = this.#ask(key, question)
    this.#known.set(key, asking)
    return asking
  }

  /** Remembers a fact that is known without asking. */
  learn(key: Key, fact: Fact): void {
    this.#known.set(key, fact)
  }

  /** Forgets all, since the tables may be others now. */
  forget(): void {
    this.#known.clear()
  }

  async #ask(key: Key, { table, list, read }: TableQuestion<Fact>): Promise<Fact> {
    try {
      const { rows } = await this.#runner.run(list(), { table })
      const fact = read(rows)
      if (rows.length > 0) this.#known.set(key, fact)
      else this.#known.delete(key)
      return fact
    } catch (error) {
      this.#known.delete(key)
      throw error
    }
  }
}
