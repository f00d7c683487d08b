import { ApiError } from '@modelwire/core'
import { type Row, StatementCancelled, StatementTimeout, replicaReads } from '@modelwire/core/connector'
import { readRows } from '../connection/read-rows.ts'
import type { StatementRunner } from '../connection/pool.ts'
import type { Session } from '../connection/session.ts'
import type { Database, SqlDialect } from '../dialect.ts'
import { type FaultPlace, translateError } from '../faults/translate-error.ts'
import { isRead } from '../statement/is-read.ts'
import type { Runner } from '../statement/run-statement.ts'
import type { Sql, Statement } from '../sql.ts'
import { Replicas } from './replicas.ts'

/** What runs the statements of a data source. */
export interface Runners {
  /** Runs statements where records are written, and says so to the work that they belong to. */
  readonly writer: Runner
  /** Runs statements that only read, on a replica where the work and `mustBeCurrent` allow it. */
  readonly readerOf: (mustBeCurrent: () => boolean) => Runner
  /** Ends the connections to replicas. */
  readonly close: () => Promise<void>
}

/** The runners of a data source, of which `session` runs statements where records are written: all where there are no replicas. */
export function createRunners(session: Session, { dialect, replicas }: Database): Runners {
  if (replicas === undefined) return { writer: session, readerOf: () => session, close: async () => {} }
  const { activity } = session
  const hosts = replicas.hosts.map(({ name, open: openPool }) => ({ name, open: () => activity.watched(openPool()) }))
  const open = new Replicas({ ...replicas, hosts }, dialect, () => activity.direct)
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

function createReader({ session, replicas, dialect, mustBeCurrent }: ReaderPlace): Runner {
  const perform = async <Result>({ place, work, current }: Asked<Result>): Promise<Result> => {
    const mayLag = !session.isInTransaction() && replicaReads()?.mayLag() === true && !mustBeCurrent()
    const replica = mayLag ? replicas.next() : undefined
    if (replica === undefined) return current()
    try {
      return await work(replica.runner)
    } catch (error) {
      const fault = translateError(dialect, error, place)
      if (isForCaller(fault)) throw fault
      replica.fail()
    }
    return current()
  }
  const asked = (written: Sql | Statement, place: FaultPlace): { statement: Statement; place: FaultPlace } => {
    const statement = compiled(session, written)
    return { statement, place: { ...place, statement } }
  }
  return {
    ...rest(session),
    run: (written, about) => {
      const { statement, place } = asked(written, about)
      return perform({ place, work: (runner) => runner.run(statement), current: () => session.run(statement, about) })
    },
    read: (written, columns, about) => {
      const { statement, place } = asked(written, about)
      const read = readRows(dialect, columns)
      const work = async (runner: StatementRunner): Promise<Row[]> => read(runner, statement)
      return perform({ place, work, current: () => session.read(statement, columns, about) })
    }
  }
}

const compiled = (session: Session, statement: Sql | Statement): Statement =>
  typeof statement === 'function' ? session.compile(statement) : statement

/** A read, and where it may be carried out. */
interface Asked<Result> {
  readonly place: FaultPlace
  readonly work: (runner: StatementRunner) => Promise<Result>
  /** Where records are written. */
  readonly current: () => Promise<Result>
}

const rest = (session: Session): Omit<Runner, 'run' | 'read'> => ({
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
