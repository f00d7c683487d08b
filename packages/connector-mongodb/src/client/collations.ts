import { ApiError } from '@modelwire/core'
import type { Awaitable } from '@modelwire/core/connector'
import type { MongoSession } from './mongo-session.ts'

/** Which collections have a collation, so that different texts are equal to the server. */
export class Collations {
  readonly #session: Pick<MongoSession, 'outside' | 'db'>
  /** The names of such collections; undefined where the user of the database must not see that. */
  #wide: ReadonlySet<string> | undefined
  #asking: Promise<void> | undefined
  #isKnown = false

  constructor(session: Pick<MongoSession, 'outside' | 'db'>) {
    this.#session = session
  }

  /** True also where it is not known. */
  isWide = (collection: string): boolean => this.#wide?.has(collection) ?? true

  /** Those of these collections that are known to have one. */
  among(collections: readonly string[]): readonly string[] {
    return [...new Set(collections)].filter((name) => this.#wide?.has(name) === true)
  }

  /** Waits until the server has answered, which is asked once. @throws {DataSourceUnavailable} it does not answer */
  ask(): Awaitable<void> {
    return this.#isKnown ? undefined : (this.#asking ??= this.#find())
  }

  /** Has the server asked again: its collections may be others now. */
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
