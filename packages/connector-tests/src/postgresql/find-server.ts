import { startOwnServer } from './own-server.ts'
import { runOn } from './run-on.ts'

/** A PostgreSQL server, and an existing database on it. */
export interface FoundServer {
  readonly url: string
  /** True where it was started for this process. */
  readonly isOwn: boolean
  /** Ends the server where it was started here, with everything in it. */
  readonly stop: () => Promise<void>
}

/** The server of MODELWIRE_POSTGRESQL_URL, else the one at 127.0.0.1:5432, else one that is started on a free port. */
export async function findServer(): Promise<FoundServer> {
  const named = process.env['MODELWIRE_POSTGRESQL_URL']
  const url = named ?? 'postgres://postgres@127.0.0.1:5432/postgres'
  if (named !== undefined || (await answers(url))) return { url, isOwn: false, stop: async () => {} }
  const { url: own, stop } = await startOwnServer()
  return { url: own, isOwn: true, stop }
}

async function answers(url: string): Promise<boolean> {
  try {
    await runOn(url, 'select 1')
    return true
  } catch {
    return false
  }
}
