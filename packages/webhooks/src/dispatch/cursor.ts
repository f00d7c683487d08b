import { DuplicateKey, type ModelRegistry } from '@modelwire/core'
import { cursorModelName } from '../models/definitions.ts'

/** How far a log has been read. */
export interface Cursor {
  readonly position: string
  /** Number of deliveries so far. */
  readonly count: number
}

/** One process's hold of the cursor of one log. */
export interface CursorHold {
  /** Takes the lease, or extends it; undefined if another process has it. */
  readonly take: () => Promise<Cursor | undefined>
  /** Moves the cursor, if it is still at `from`; true if it was moved. */
  readonly move: (from: Cursor, to: Cursor) => Promise<boolean>
  /** Lets another process take the lease at once. */
  readonly release: () => Promise<void>
}

/** The owner of a hold. */
export interface HoldFacts {
  /** Name of the log's data source. */
  readonly source: string
  /** Unique to this process. */
  readonly holder: string
  /** Seconds. */
  readonly lease: number
  /** Returns where to start reading a log that was never read. */
  readonly begin: () => Promise<string>
}

/** Makes the functions that hold the cursor of a log. */
export function holdCursor(registry: ModelRegistry, { source: id, holder, lease, begin }: HoldFacts): CursorHold {
  const cursors = registry.get(cursorModelName)
  const create = async (): Promise<void> => {
    try {
      await cursors.create({ id, position: await begin(), count: 0 })
    } catch (error) {
      if (!(error instanceof DuplicateKey)) throw error
    }
  }
  const read = async (): Promise<Cursor | undefined> => {
    const row = await cursors.findById(id)
    return row === null ? undefined : { position: String(row['position']), count: Number(row['count']) }
  }
  return {
    async take() {
      if ((await read()) === undefined) await create()
      const now = new Date()
      const free = { or: [{ holder }, { holder: null }, { leaseUntil: { lt: now } }] }
      const leaseUntil = new Date(now.getTime() + lease * 1000)
      const { count } = await cursors.updateAll({ and: [{ id }, free] }, { holder, leaseUntil })
      return count === 1 ? read() : undefined
    },
    async move(from, to) {
      const { count } = await cursors.updateAll({ id, holder, position: from.position, count: from.count }, { ...to })
      return count === 1
    },
    async release() {
      await cursors.updateAll({ id, holder }, { holder: null, leaseUntil: null })
    }
  }
}
