import { ApiError } from '@modelwire/core'
import type { Awaitable } from '@modelwire/server'
import type { MongoSession } from './mongo-session.ts'

/** Tracks which collections have a collation, so that the server may treat different strings as equal. */
export class Collations {
  readonly #session: Pick<MongoSession, 'outside' | 'db'>
  /** The names of such collections; undefined if the database user may not list them. */
  #wide: ReadonlySet<string> | undefined
  #asking: Promise<void> | undefined
  #isKnown = false

  constructor(session: Pick<MongoSession, 'outside' | 'db'>) {
    this.#session = session
  }

  /** True also if it is unknown. */
  isWide = (collection: string): boolean => this.#wide?.has(collection) ?? true

  /** The given collections that are known to have one. */
  among(collections: readonly string[]): readonly string[] {
    return [...new Set(collections)].filter((name) => this.#wide?.has(name) === true)
  }

  /**
   * Queries the server, once, and waits for its response.
   * @throws {DataSourceUnavailable} it does not answer
   */
  ask(): Awaitable<void> {
    if (this.#isKnown) return undefined
    if (this.#asking === undefined) {
      this.#asking = this.#find()
      // Everyone who still waits gets the error; all of them may have left.
      void Promise.allSettled([this.#asking])
    }
    return this.#asking
  }

  /** Queries the server again on next use: its collections may have changed. */
  forget(): void {
    this.#isKnown = false
    this.#wide = undefined
  }

  async #find(): Promise<void> {
    try {
      const list = async () => this.#session.db.listCollections({}, { nameOnly: false }).toArray()
      const found = await this.#session.outside({ isRead: true }, list)
      this.#wide = new Set(found.filter((each) => hasCollation(each)).map(({ name }) => name))
    } catch (error) {
      if (!(error instanceof ApiError) || error.statusCode === 503) throw error
    } finally {
      this.#asking = undefined
    }
    this.#isKnown = true
  }
}

function hasCollation(collection: object): boolean {
  const options: unknown = 'options' in collection ? collection.options : undefined
  const locale: unknown = Reflect.get(Object(Reflect.get(Object(options), 'collation')), 'locale')
  return locale !== undefined && locale !== 'simple'
}
