import { join } from 'node:path'
import { chmod, mkdir } from 'node:fs/promises'
import { type DatabasePlace, type DatabaseServer, databaseServer, openFolder } from './database-server.ts'
import { synchronousStandby } from './postgresql-config.ts'
import { runOn } from './run-on.ts'
import { waitUntil } from './wait-until.ts'

/** The database: a primary and its standby. */
export interface Databases {
  readonly servers: readonly [DatabaseServer, DatabaseServer]
  readonly primary: () => DatabaseServer
  /** Starts the primary and the standby with empty data and a database for the application. */
  readonly start: (database: string) => Promise<void>
  /** Ends the copying of the standby, which writes from now on. What the former primary still does is lost. */
  readonly promote: () => Promise<void>
  /** Has the server that is not the primary copy it from the beginning. */
  readonly rejoin: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Who does what. */
interface Roles {
  readonly primary: DatabaseServer
  readonly standby: DatabaseServer
}

/** Resolves when the standby has what is committed from now on. */
async function follow({ primary, standby }: Roles): Promise<void> {
  const inStep = "select 1 from pg_stat_replication where sync_state = 'sync'"
  await runOn(primary.url, synchronousStandby(standby.name))
  await runOn(primary.url, 'select pg_reload_conf()')
  await waitUntil(async () => (await runOn(primary.url, inStep)).length > 0, 'the first copy of the standby')
}

async function promote({ primary, standby }: Roles): Promise<Roles> {
  // Two that write would be the end of the data: the former primary must be gone first.
  await primary.stop()
  await runOn(standby.url, 'select pg_promote(true, 30)')
  return { primary: standby, standby: primary }
}

async function rejoin({ primary, standby }: Roles): Promise<void> {
  await standby.stop()
  await runOn(primary.url, synchronousStandby(undefined))
  await runOn(primary.url, 'select pg_reload_conf()')
  await standby.copyFrom(primary)
  await standby.start()
  await follow({ primary, standby })
}

/** Makes the functions of a primary and a standby in a folder. */
export function databasesIn(
  place: Omit<DatabasePlace, 'name' | 'port'>,
  [first, second]: readonly [number, number]
): Databases {
  const folder = join(place.folder, 'postgresql')
  const make = (name: string, port: number): DatabaseServer => databaseServer({ ...place, folder, name, port })
  const servers = [make('postgresql1', first), make('postgresql2', second)] as const
  let roles: Roles = { primary: servers[0], standby: servers[1] }
  return {
    servers,
    primary: () => roles.primary,
    start: async (database) => {
      await mkdir(folder, { recursive: true })
      // The user that PostgreSQL runs as has to come by.
      if (place.user !== undefined) await chmod(place.folder, 0o711)
      await openFolder(folder, place.user)
      await roles.primary.create()
      await roles.primary.start()
      await runOn(roles.primary.url, `create database ${database}`)
      await rejoin(roles)
    },
    promote: async () => {
      roles = await promote(roles)
    },
    rejoin: async () => rejoin(roles),
    stop: async () => void (await Promise.all(servers.map(async (server) => server.stop())))
  }
}
