import { ApiError } from '@modelwire/core'
import { type Row, StatementCancelled, StatementTimeout, replicaReads } from '@modelwire/core/connector'
import type { Database } from '../dialect/database.ts'
import type { Session } from '../connection/session.ts'
import type { SqlDialect } from '../dialect/dialect.ts'
import { type FaultPlace, translateError } from '../statement/translate-error.ts'
import { beginParts } from '../connection/read-parts.ts'
import { readRows } from '../values/decode-value.ts'
import type { Runner } from '../statement/run-statement.ts'
import { type Sql, type Statement, isRead } from '../sql.ts'
import { type ReplicaReads, Replicas } from './replicas.ts'

/** Runs the statements of a data source. */
export interface Runners {
  /** Runs statements on the primary, and marks the work that they belong to as writing. */
  readonly writer: Runner
  /** Runs statements that only read, on a replica if the work and `mustBeCurrent` allow it. */
  readonly readerOf: (mustBeCurrent: () => boolean) => Runner
  /** Closes the connections to replicas. */
  readonly close: () => Promise<void>
}

/** The runners of a data source, of which `session` runs statements on the primary: all of them if there are no replicas. */
export function createRunners(session: Session, { dialect, parts, replicas }: Database): Runners {
  if (replicas === undefined) return { writer: session, readerOf: () => session, close: async () => {} }
  const { activity } = session
  const hosts = replicas.hosts.map(({ name, open: openPool }) => ({ name, open: () => activity.watched(openPool()) }))
  const open = new Replicas({ ...replicas, hosts }, { dialect, parts }, () => activity.direct)
  return { ...replicaRunners(session, open, dialect), close: () => open.close() }
}

function replicaRunners(session: Session, replicas: Replicas, dialect: SqlDialect): Omit<Runners, 'close'> {
  const noted = (statement: Sql | Statement): Statement => {
    const written = compiled(session, statement)
    if (!isRead(written)) replicaReads()?.noteWrite()
    return written
  }
  const writer: Runner = {
    ...rest(session),
    run: (statement, place) => session.run(noted(statement), place),
    read: (statement, columns, place) => session.read(noted(statement), columns, place)
  }
  return { writer, readerOf: (mustBeCurrent) => createReader({ session, replicas, dialect, mustBeCurrent }) }
}

interface ReaderPlace {
  readonly session: Session
  readonly replicas: Replicas
  readonly dialect: SqlDialect
  readonly mustBeCurrent: () => boolean
}

/** Makes the function that reads on a replica if possible, else on the primary. */
function createPerform({ session, replicas, dialect, mustBeCurrent }: ReaderPlace) {
  return async <Result>({ place, work, current }: Asked<Result>): Promise<Result> => {
    const mayLag = !session.isInTransaction() && replicaReads()?.mayLag() === true && !mustBeCurrent()
    const replica = mayLag ? replicas.next() : undefined
    if (replica === undefined) return current()
    try {
      return await work(replica)
    } catch (error) {
      const fault = translateError(dialect, error, place)
      if (isForCaller(fault)) throw fault
      replica.fail()
    }
    return current()
  }
}

function createReader(at: ReaderPlace): Runner {
  const { session, dialect } = at
  const perform = createPerform(at)
  const asked = (written: Sql | Statement, place: FaultPlace): { statement: Statement; place: FaultPlace } => {
    const statement = compiled(session, written)
    return { statement, place: { ...place, statement } }
  }
  return {
    ...rest(session),
    run: (written, about) => {
      const { statement, place } = asked(written, about)
      return perform({
        place,
        work: ({ direct }) => direct.run(statement),
        current: () => session.run(statement, about)
      })
    },
    read: (written, columns, about) => {
      const { statement, place } = asked(written, about)
      const work = async ({ direct }: ReplicaReads): Promise<Row[]> =>
        readRows(dialect, columns, await direct.run(statement))
      return perform({ place, work, current: () => session.read(statement, columns, about) })
    },
    readInParts: async (statement, columns, about) => {
      const place = { ...about, statement }
      const read = { dialect, statement, columns, translate: (error: unknown) => translateError(dialect, error, place) }
      const work = async ({ readParts }: ReplicaReads): Promise<AsyncIterable<Row[]> | undefined> =>
        readParts && beginParts(readParts, read)
      return perform({ place, work, current: () => session.readInParts(statement, columns, about) })
    }
  }
}

const compiled = (session: Session, statement: Sql | Statement): Statement =>
  typeof statement === 'function' ? session.compile(statement) : statement

/** A read, and where it may run. */
interface Asked<Result> {
  readonly place: FaultPlace
  readonly work: (replica: ReplicaReads) => Promise<Result>
  /** Runs it on the primary. */
  readonly current: () => Promise<Result>
}

const rest = (session: Session): Omit<Runner, 'run' | 'read'> => ({
  readInParts: (statement, columns, place) => session.readInParts(statement, columns, place),
  conflict: (message, cause) => session.conflict(message, cause),
  runApart: (statement, place) => session.runApart(statement, place),
  isInTransaction: () => session.isInTransaction(),
  atomically: (work) => session.atomically(work),
  compile: (statement) => session.compile(statement)
})

/** It would be the same elsewhere, or the time for it is over. A table that is not there yet is not. */
function isForCaller(fault: unknown): boolean {
  if (fault instanceof StatementCancelled || fault instanceof StatementTimeout) return true
  return fault instanceof ApiError && fault.statusCode < 500 && fault.statusCode !== 409
}
