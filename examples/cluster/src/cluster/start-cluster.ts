import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ApplicationProcess, applicationProcess } from './application-process.ts'
import { checkPorts, isTaken } from './check-ports.ts'
import { databaseUser } from './database-user.ts'
import { type Databases, databasesIn } from './databases.ts'
import type { Programs } from './find-programs.ts'
import { haproxyConfig } from './haproxy-config.ts'
import { type Environment, environmentOf } from './environment-of.ts'
import { type Ports, portsFrom } from './ports.ts'
import { redisArguments } from './redis-arguments.ts'
import { type RunningProgram, runProgram, runToEnd } from './run-program.ts'
import { waitUntil } from './wait-until.ts'

/** Where a cluster runs. */
export interface ClusterOptions {
  readonly programs: Programs
  /** An empty folder for data, logs and configuration. */
  readonly folder: string
  /** The first of its ports. */
  readonly port: number
  /** Hears what is done. */
  readonly say: (text: string) => void
  /** What messages to the receiver are signed with. */
  readonly receiverSecret: string
  /** Further variables of the processes. */
  readonly environment?: Readonly<Record<string, string>>
}

/** A cluster that runs. */
export interface Cluster {
  readonly url: string
  readonly ports: Ports
  readonly databases: Databases
  readonly processes: readonly ApplicationProcess[]
  /** Ends Redis, which forgets everything, and starts it again. */
  readonly restartRedis: () => Promise<void>
  /** The numbers of all programs by their names. */
  readonly pids: () => Readonly<Record<string, number | undefined>>
  readonly stop: () => Promise<void>
}

/** The name of the database. */
export const databaseName = 'shop'

const scriptOf = (name: string): string => fileURLToPath(new URL(`../application/${name}.js`, import.meta.url))

async function startRedis({ programs, folder }: ClusterOptions, port: number): Promise<RunningProgram> {
  const log = join(folder, 'redis.log')
  const redis = await runProgram({ program: programs.redis, args: redisArguments(port), log })
  await waitUntil(async () => isTaken(port), 'the start of Redis')
  return redis
}

async function startProxy({ programs, folder }: ClusterOptions, ports: Ports): Promise<RunningProgram> {
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, haproxyConfig(ports))
  const log = join(folder, 'haproxy.log')
  const proxy = await runProgram({ program: programs.haproxy, args: ['-db', '-f', file], log })
  const url = `http://127.0.0.1:${ports.api}/api/Products/count`
  await waitUntil(async () => (await fetch(url)).ok, 'the start of HAProxy')
  return proxy
}

/** What has been started, the last one first to be ended. */
type Ends = (() => Promise<void>)[]

async function startDatabases({ programs, folder }: ClusterOptions, ports: Ports, ends: Ends): Promise<Databases> {
  const databases = databasesIn({ programs, folder, user: databaseUser() }, ports.databases)
  ends.push(databases.stop)
  await databases.start(databaseName)
  return databases
}

/** Redis, which can be replaced by an empty one. */
interface Replaceable {
  readonly pid: () => number
  readonly restart: () => Promise<void>
}

async function startReplaceable(options: ClusterOptions, port: number, ends: Ends): Promise<Replaceable> {
  let redis = await startRedis(options, port)
  ends.push(async () => redis.stop())
  return {
    pid: () => redis.pid,
    restart: async () => {
      await redis.stop('SIGKILL')
      redis = await startRedis(options, port)
    }
  }
}

async function prepare({ folder }: ClusterOptions, environment: Environment): Promise<void> {
  const log = join(folder, 'prepare.log')
  // Its probes are asked by no one: any free port will do.
  const env = { ...environment, PROBES_PORT: '0' }
  await runToEnd({ program: process.execPath, args: [scriptOf('prepare')], log, env })
}

async function startProcesses(
  { folder }: ClusterOptions,
  ports: Ports,
  environment: Environment,
  ends: Ends
): Promise<readonly ApplicationProcess[]> {
  const processes = ports.processes.map(({ api, probes }, at) =>
    applicationProcess({
      port: api,
      probes,
      program: process.execPath,
      args: [scriptOf('serve')],
      log: join(folder, `process${at + 1}.log`),
      env: { ...environment, PORT: String(api), PROBES_PORT: String(probes) }
    })
  )
  ends.push(async () => void (await Promise.all(processes.map(async (each) => each.stop()))))
  await Promise.all(processes.map(async (each) => each.start()))
  return processes
}

async function startParts(options: ClusterOptions, ends: Ends): Promise<Cluster> {
  const { folder, say } = options
  const ports = portsFrom(options.port)
  await checkPorts(ports)
  await mkdir(folder, { recursive: true })
  say('PostgreSQL: a primary, and a standby that copies it')
  const databases = await startDatabases(options, ports, ends)
  say('Redis')
  const redis = await startReplaceable(options, ports.redis, ends)
  say('Tables and a few products')
  const environment = { ...environmentOf(ports, options.receiverSecret), ...options.environment }
  await prepare(options, environment)
  say(`${ports.processes.length} processes of the application`)
  const processes = await startProcesses(options, ports, environment, ends)
  say('HAProxy')
  const proxy = await startProxy(options, ports)
  ends.push(async () => proxy.stop())
  const ofProcesses = (): [string, number | undefined][] =>
    processes.map((each, at) => [`process${at + 1}`, each.pid()])
  return {
    url: `http://127.0.0.1:${ports.api}`,
    ports,
    databases,
    processes,
    restartRedis: redis.restart,
    pids: () => ({ haproxy: proxy.pid, ...Object.fromEntries(ofProcesses()), redis: redis.pid() }),
    stop: async () => stopAll(ends)
  }
}

async function stopAll(ends: Ends): Promise<void> {
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end()
}

/** Starts everything, and ends what has been started where a part cannot be. @throws {ClusterFailed} */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const ends: Ends = []
  try {
    return await startParts(options, ends)
  } catch (error) {
    await stopAll(ends)
    throw error
  }
}
