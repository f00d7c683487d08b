import { type ChildProcess, execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '@modelwire/test-waits'
import { findPort } from '../test-case.ts'
import { killProcess, runOn, spawnMariadb } from './run-on.ts'

/** One node of a Galera cluster. */
export interface GaleraNode {
  readonly port: number
  readonly url: string
  /** Kills it as the system does when it runs out of memory. */
  readonly kill: () => Promise<void>
  /** Starts it again; resolves when it is in sync. */
  readonly rejoin: () => Promise<void>
  /** Takes it out of the network of the cluster, or lets it in again. It goes on listening for clients. */
  readonly isolate: (isOn: boolean) => Promise<void>
  readonly isSynced: () => Promise<boolean>
}

/** A cluster of a test's own. */
export interface GaleraCluster {
  readonly nodes: readonly GaleraNode[]
  readonly stop: () => Promise<void>
}

const provider = '/usr/lib/galera/libgalera_smm.so'

/** Why no cluster can be started here; false where it can. */
export function whyNoGalera(): string | false {
  const programs = ['mariadbd', 'mariadb-install-db', 'rsync'] as const
  const missing = programs.filter((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0)
  if (!existsSync(provider)) return 'needs galera-4'
  return missing.length === 0 ? false : `needs ${missing.join(', ')}`
}

interface Ports {
  readonly sql: number
  readonly group: number
  readonly increments: number
  readonly snapshot: number
}

/** Starts three nodes, with a database `faults`. Members that are silent are given up after some seconds. */
export async function startGalera(): Promise<GaleraCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-galera-'))
  const ports: Ports[] = []
  for (let at = 0; at < 3; at++)
    ports.push({
      sql: await findPort(),
      group: await findPort(),
      increments: await findPort(),
      snapshot: await findPort()
    })
  const preload = withoutPriorities(folder)
  const members = `gcomm://${ports.map(({ group }) => `127.0.0.1:${group}`).join(',')}`
  const nodes = ports.map((own, at) => createNode({ folder: join(folder, `n${at}`), ports: own, preload, members }))
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map(({ node }) => node.kill()))
    rmSync(folder, { recursive: true, force: true })
  }
  const startAll = async (): Promise<void> => {
    for (const [at, { node, start }] of nodes.entries()) {
      await start(at === 0 ? 'gcomm://' : members)
      if (at === 0) await runOn(node.url.replace(/faults$/, ''), 'create database faults')
    }
  }
  try {
    await startAll()
  } catch (error) {
    await stop()
    throw error
  }
  return { nodes: nodes.map(({ node }) => node), stop }
}

interface NodePlace {
  readonly folder: string
  readonly ports: Ports
  readonly preload: string | undefined
  /** The addresses of all nodes. */
  readonly members: string
}

function createNode(place: NodePlace): { node: GaleraNode; start: (cluster: string) => Promise<void> } {
  const { ports, members } = place
  const url = `mysql://root@127.0.0.1:${ports.sql}/faults`
  let child: ChildProcess | undefined
  const ask = async (sql: string) => runOn(`mysql://root@127.0.0.1:${ports.sql}/`, sql)
  const isSynced = async (): Promise<boolean> => {
    try {
      const [row] = await ask("show status like 'wsrep_local_state_comment'")
      return row?.['Value'] === 'Synced'
    } catch {
      return false
    }
  }
  const start = async (cluster: string): Promise<void> => {
    child = spawnNode(place, cluster)
    await until(isSynced, `a node to be in sync: see ${place.folder}/err.log`, 60_000)
  }
  const kill = async (): Promise<void> => killProcess(child)
  const isolate = async (isOn: boolean): Promise<void> => {
    await ask(`set global wsrep_provider_options = 'gmcast.isolate=${isOn ? 1 : 0}'`)
  }
  return { node: { port: ports.sql, url, kill, rejoin: async () => start(members), isolate, isSynced }, start }
}

function spawnNode({ folder, ports, preload }: NodePlace, cluster: string): ChildProcess {
  const { sql, group, increments, snapshot } = ports
  const options = [
    `base_port=${group}`,
    `gmcast.listen_addr=tcp://127.0.0.1:${group}`,
    `ist.recv_addr=127.0.0.1:${increments}`,
    'evs.keepalive_period=PT0.5S;evs.suspect_timeout=PT2S;evs.inactive_timeout=PT4S;evs.install_timeout=PT4S;gcache.size=32M'
  ]
  const settings = {
    'binlog-format': 'ROW',
    'innodb-autoinc-lock-mode': 2,
    'wsrep-on': 'ON',
    'wsrep-provider': provider,
    'wsrep-cluster-name': 'modelwire',
    'wsrep-cluster-address': cluster,
    'wsrep-node-address': `127.0.0.1:${group}`,
    'wsrep-node-name': `n${sql}`,
    'wsrep-sst-method': 'rsync',
    'wsrep-sst-receive-address': `127.0.0.1:${snapshot}`,
    'wsrep-provider-options': options.join(';')
  }
  return spawnMariadb({ folder, port: sql, settings, preload })
}

/**
 * Some kernels refuse to set the priority of a thread, whereupon Galera 26.4 ends the server: a library of our own, where
 * it can be compiled, lets it be content.
 */
function withoutPriorities(folder: string): string | undefined {
  const [source, library] = [join(folder, 'priorities.c'), join(folder, 'priorities.so')]
  writeFileSync(
    source,
    '#include <pthread.h>\nint pthread_setschedparam(pthread_t t, int p, const struct sched_param *s) { (void)t; (void)p; (void)s; return 0; }\n'
  )
  execFileSync('chmod', ['755', folder])
  return spawnSync('gcc', ['-shared', '-fPIC', '-o', library, source]).status === 0 ? library : undefined
}
