import type { FastifyBaseLogger } from 'fastify'
import { HandoverNotSaved } from '../../errors.ts'
import type { Cause, Owner, RouteEntry, RouteTable } from './route-table.ts'
import { type RouteState, type SavedState, writeState } from './state-file.ts'

const causes = ['start', 'command', 'page', 'equal answers', 'error'] as const

const causeOf = (text: string): Cause => causes.find((cause) => cause === text) ?? 'command'

function restore(entry: RouteEntry, { owner, since, cause, held }: RouteState): void {
  const date = new Date(since)
  Object.assign(entry, { owner, held, cause: causeOf(cause), ...(!Number.isNaN(date.getTime()) && { since: date }) })
}

const stateOf = ({ owner, since, cause, held }: RouteEntry): RouteState => ({
  owner,
  since: since.toISOString(),
  cause,
  held
})

async function after(earlier: Promise<void>, work: () => Promise<void>): Promise<void> {
  try {
    await earlier
  } catch {
    // That handover has rejected for its own caller.
  }
  await work()
}

/** Switches routes over and back, and saves their owners to a file. */
export class Handover {
  readonly #table: RouteTable
  readonly #file: string
  readonly #log: FastifyBaseLogger
  /** Routes in the file that the application does not currently have. */
  readonly #unknown: SavedState
  #written: Promise<void> = Promise.resolve()

  constructor(table: RouteTable, file: string, saved: SavedState, log: FastifyBaseLogger) {
    this.#table = table
    this.#file = file
    this.#log = log
    const left = new Map(Object.entries(saved))
    for (const entry of table.entries) {
      const state = left.get(entry.name)
      if (state !== undefined) restore(entry, state)
      left.delete(entry.name)
    }
    this.#unknown = Object.fromEntries(left)
    if (left.size > 0)
      log.warn({ file, routes: [...left.keys()] }, 'the state file names routes that the application does not have')
  }

  /**
   * Assigns routes to a side, effective for requests that start from now on. Resolves once this would survive a restart.
   * @returns the routes that had the other owner
   * @throws {HandoverNotSaved} the routes have their new owner, but the file could not be written
   */
  async give(entries: readonly RouteEntry[], owner: Owner, cause: Cause): Promise<readonly RouteEntry[]> {
    const changed = entries.filter((entry) => entry.owner !== owner)
    const held = owner === 'old' && cause !== 'equal answers'
    for (const entry of entries) entry.held = held
    for (const entry of changed) {
      Object.assign(entry, { owner, cause, since: new Date() })
      entry.evidence.equalInRow = 0
      this.#log[cause === 'error' ? 'error' : 'info'](
        { route: entry.name, owner, cause },
        owner === 'new' ? `${entry.name} is handed over` : `${entry.name} is handed back to the old server`
      )
    }
    await this.#save()
    return changed
  }

  /** Switches a route in the background; a failure to save is only logged. */
  async assignInBackground(entry: RouteEntry, owner: Owner, cause: Cause): Promise<void> {
    try {
      await this.give([entry], owner, cause)
    } catch (error) {
      this.#log.error({ err: error }, 'the handover could not be saved')
    }
  }

  /** Resolves when everything is written. */
  async close(): Promise<void> {
    await after(this.#written, async () => undefined)
  }

  async #save(): Promise<void> {
    this.#written = after(this.#written, async () => writeState(this.#file, this.#state()))
    try {
      await this.#written
    } catch (cause) {
      throw new HandoverNotSaved(`done, but ${this.#file} cannot be written: the change is lost on restart`, { cause })
    }
  }

  #state(): SavedState {
    const kept = this.#table.entries.filter(({ owner, held }) => owner === 'new' || held)
    return { ...this.#unknown, ...Object.fromEntries(kept.map((entry) => [entry.name, stateOf(entry)])) }
  }
}
