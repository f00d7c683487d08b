import { type ChildProcess, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '@modelwire/test-waits'
import { findPort } from '../test-case.ts'
import { killProcess, runOn, spawnMariadb } from './run-on.ts'

/** A server of a pair. */
export interface ReplicationHost {
  readonly url: string
  readonly port: number
  readonly kill: () => Promise<void>
}

/** A MariaDB server and one that copies it, with a database `faults`. */
export interface ReplicationPair {
  readonly primary: ReplicationHost
  readonly replica: ReplicationHost
  readonly stop: () => Promise<void>
}

/** Why no servers can be started here; false where they can. */
export function whyNoMariadb(): string | false {
  const programs = ['mariadbd', 'mariadb-install-db']
  const missing = programs.filter((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0)
  return missing.length === 0 ? false : `needs ${missing.join(', ')}`
}

/** Starts a primary with a binary log, and a replica that only reads. */
export async function startReplication(): Promise<ReplicationPair> {
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-replication-'))
  const started: ChildProcess[] = []
  const start = async (name: string, settings: Readonly<Record<string, string | number>>): Promise<ReplicationHost> => {
    const port = await findPort()
    const child = spawnMariadb({ folder: join(folder, name), port, settings })
    started.push(child)
    const root = `mysql://root@127.0.0.1:${port}/`
    const answers = async (): Promise<boolean> => {
      try {
        await runOn(root, 'select 1')
        return true
      } catch {
        return false
      }
    }
    await until(answers, 'a server to answer', 30_000)
    return { port, url: `${root}faults`, kill: async () => killProcess(child) }
  }
  const stop = async (): Promise<void> => {
    await Promise.all(started.map(killProcess))
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const primary = await start('p', { 'log-bin': 'log', 'server-id': 1 })
    const replica = await start('r', { 'server-id': 2, 'read-only': 1 })
    const root = ({ url }: ReplicationHost): string => url.replace(/faults$/, '')
    const from = `master_host='127.0.0.1', master_port=${primary.port}, master_user='root', master_use_gtid=slave_pos`
    await runOn(root(replica), `change master to ${from}`, 'start slave')
    await runOn(root(primary), 'create database faults')
    const isCopied = async (): Promise<boolean> =>
      (await runOn(root(replica), "show databases like 'faults'")).length > 0
    await until(isCopied, 'the replica to copy', 30_000)
    return { primary, replica, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
