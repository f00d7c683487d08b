import { findServer, runOn } from '@modelwire/connector-tests/postgresql'

/** A database that is there. */
export interface Database {
  readonly url: string
  /** It is gone when `stop` was called: its server was started for this process. */
  readonly isTemporary: boolean
  readonly stop: () => Promise<void>
}

/** Finds a PostgreSQL server, or starts one, and creates the database with this name on it unless it is there. */
export async function findDatabase(name: string): Promise<Database> {
  const { url: server, isOwn, stop } = await findServer()
  const [known] = await runOn(server, `select 1 from pg_database where datname = ${quote(name, "'")}`)
  if (known?.rowCount === 0) await runOn(server, `create database ${quote(name, '"')}`)
  const url = Object.assign(new URL(server), { pathname: `/${encodeURIComponent(name)}` }).href
  return { url, isTemporary: isOwn, stop }
}

function quote(text: string, sign: string): string {
  return sign + text.replaceAll(sign, sign + sign) + sign
}
