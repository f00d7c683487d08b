import type { Connection, ConnectionPool, Statement, StatementResult } from '@modelwire/connector-sql'
import { throwIfLeft } from '@modelwire/core/connector'
import type LibSql from 'libsql'
import { SqliteConnection } from './sqlite-connection.ts'
import { setTimeout as pause } from 'node:timers/promises'

/** Milliseconds of the longest pause between two attempts. */
const longestPause = 20

interface Waited {
  readonly attempt: number
  /** When to give up. */
  readonly end?: number
}

const start: Waited = { attempt: 0 }

/** A fair lock: one holder at a time, in the order of requests. */
class Turns {
  readonly #waiting: (() => void)[] = []
  #isTaken = false

  /** Resolves when all earlier holders have ended; after `limit` milliseconds rejects, 0 for never. */
  async take(limit: number): Promise<void> {
    if (this.#isTaken) return this.#wait(limit)
    this.#isTaken = true
  }

  end(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#isTaken = false
    else next()
  }

  async #wait(limit: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(take), 1)
        reject(tookTooLong())
      }
      const timer = limit > 0 ? setTimeout(giveUp, limit) : undefined
      const take = (): void => {
        clearTimeout(timer)
        resolve()
      }
      this.#waiting.push(take)
    })
  }
}

/** How a driver opens its file, and how long it waits for others. */
export interface SqliteFile {
  readonly openWriter: () => LibSql.Database
  /** Undefined for a database in memory, which only its own connection can access. */
  readonly openReader?: (() => LibSql.Database) | undefined
  /** Milliseconds to wait for another process that is writing. */
  readonly busyTimeout: number
  /** Milliseconds to wait for a transaction of this process; 0: no limit. */
  readonly connectTimeout: number
}

interface OpenFile extends SqliteFile {
  readonly writer: SqliteConnection
  readonly reader: SqliteConnection | undefined
  readonly turns: Turns
}

/**
 * Makes a pool of libsql connections, which embed SQLite: one writes and runs transactions, for which callers wait. Another
 * one reads committed data without waiting. The file is opened on first use.
 */
export function createPool(file: SqliteFile): ConnectionPool {
  let opening: Promise<OpenFile> | undefined
  const open = async (): Promise<OpenFile> => {
    try {
      return await (opening ??= openFile(file))
    } catch (error) {
      opening = undefined
      throw error
    }
  }
  return {
    connect: async () => new Lease(await open()),
    end: async () => {
      if (opening !== undefined) await close(await opening)
    }
  }
}

async function openFile(file: SqliteFile): Promise<OpenFile> {
  const { openWriter, openReader, busyTimeout } = file
  const writer = new SqliteConnection(await whileBusy(openWriter, busyTimeout))
  const reader = openReader && new SqliteConnection(await whileBusy(openReader, busyTimeout))
  return { ...file, writer, reader, turns: new Turns() }
}

async function close({ turns, connectTimeout, reader, writer }: OpenFile): Promise<void> {
  // A transaction that never ends must not keep the process from ending.
  await Promise.allSettled([turns.take(connectTimeout)])
  reader?.close()
  writer.close()
}

/** What begins and ends transactions. */
const [begin, commit, rollback] = ['begin immediate', 'commit', 'rollback'] as const
const controls: ReadonlySet<string> = new Set([begin, commit, rollback])

/** What one statement, or one transaction, works with: the writer from the first statement on that is not a read. */
class Lease implements Connection {
  readonly #file: OpenFile
  #hasTurn = false

  constructor(file: OpenFile) {
    this.#file = file
  }

  get #inTransaction(): boolean {
    return this.#hasTurn && this.#file.writer.inTransaction
  }

  async run(statement: Statement): Promise<StatementResult> {
    const { reader, writer, busyTimeout } = this.#file
    const { sql } = statement
    if (controls.has(sql)) return this.#control(sql)
    if (!this.#hasTurn && reader !== undefined && sql.startsWith('select'))
      return whileBusy(() => reader.run(statement), busyTimeout)
    await this.#takeTurn()
    if (!this.#inTransaction) throwIfLeft(statement.signal)
    return this.#inTransaction || !/^(?:insert|update|delete|create|alter|drop)/.test(sql)
      ? whileBusy(() => writer.run(statement), busyTimeout)
      : this.#runAlone(statement)
  }

  release(): void {
    if (this.#hasTurn) this.#file.turns.end()
    this.#hasTurn = false
  }

  /**
   * Takes the right to write first. A prepared statement that finds the file locked would be neither done nor undone, and
   * keep every later commit from working.
   */
  async #runAlone(statement: Statement): Promise<StatementResult> {
    await this.#control(begin)
    try {
      const result = this.#file.writer.run(statement)
      await this.#control(commit)
      return result
    } catch (error) {
      await this.#control(rollback)
      throw error
    }
  }

  /** Begins or ends a transaction. SQLite has rolled back by itself after some errors, such as a full disk. */
  async #control(sql: string): Promise<StatementResult> {
    if (sql !== rollback || this.#inTransaction) {
      await this.#takeTurn()
      await whileBusy(() => this.#file.writer.control(sql), this.#file.busyTimeout)
    }
    return { rows: [] }
  }

  async #takeTurn(): Promise<void> {
    if (this.#hasTurn) return
    await this.#file.turns.take(this.#file.connectTimeout)
    this.#hasTurn = true
  }
}

/** Like an error of SQLite, so that it is translated as one. */
function tookTooLong(): Error {
  return Object.assign(new Error('a transaction of this process took too long'), { code: 'SQLITE_NO_TURN' })
}

/**
 * Calls `work` until the file is not locked by another process any more, for at most `limit` milliseconds. SQLite's own way
 * of waiting would stop the whole process.
 */
async function whileBusy<Result>(work: () => Result, limit: number, waited: Waited = start): Promise<Result> {
  const { attempt, end = performance.now() + limit } = waited
  try {
    return work()
  } catch (error) {
    if (!isBusy(error) || performance.now() >= end) throw error
  }
  await pause(Math.min(longestPause, 1 + attempt) * (0.5 + Math.random()))
  return whileBusy(work, limit, { attempt: attempt + 1, end })
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^SQLITE_(?:BUSY|LOCKED)/.test(String(error.code))
}
