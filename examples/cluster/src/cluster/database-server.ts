import { appendFile, chmod, chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Programs } from './find-programs.ts'
import { hostRules, postgresqlConfig, standbyConfig } from './postgresql-config.ts'
import { runOn } from './run-on.ts'
import { type RunningProgram, runProgram, runToEnd } from './run-program.ts'
import { waitUntil } from './wait-until.ts'

/** Where a server of the database is, and what runs it. */
export interface DatabasePlace {
  readonly programs: Programs
  /** Holds the data of all servers. */
  readonly folder: string
  readonly name: string
  readonly port: number
  /** PostgreSQL refuses to run as root. */
  readonly user: Readonly<{ uid: number; gid: number }> | undefined
}

/** One PostgreSQL server of the cluster. */
export interface DatabaseServer {
  readonly name: string
  readonly port: number
  /** Its database `postgres`, as the administrator. */
  readonly url: string
  /** Makes empty data. */
  readonly create: () => Promise<void>
  /** Replaces its data by a copy of those of a server that runs, and has it copy that one from now on. */
  readonly copyFrom: (primary: DatabaseServer) => Promise<void>
  readonly start: () => Promise<void>
  /** Ends it in good order: what it has written is with its standby then. */
  readonly stop: () => Promise<void>
  /** Kills it, as a machine that loses its power. */
  readonly kill: () => Promise<void>
  readonly isRunning: () => boolean
}

/** Folder of the data of a server. */
const dataOf = ({ folder, name }: DatabasePlace): string => join(folder, name)

const run = async ({ folder, name, user }: DatabasePlace, program: string, args: readonly string[]): Promise<void> =>
  runToEnd({ program, args, log: join(folder, `${name}.log`), user })

/** An empty folder, which belongs to whom PostgreSQL runs as. */
async function makeFolder(place: DatabasePlace): Promise<void> {
  const data = dataOf(place)
  await rm(data, { recursive: true, force: true })
  await mkdir(data, { mode: 0o700 })
  if (place.user !== undefined) await chown(data, place.user.uid, place.user.gid)
}

async function create(place: DatabasePlace): Promise<void> {
  const { programs, folder, port } = place
  const data = dataOf(place)
  await makeFolder(place)
  await run(place, programs.initdb, ['-D', data, '-U', 'postgres', '-A', 'trust', '--locale=C.UTF-8', '-E', 'UTF8'])
  await appendFile(join(data, 'postgresql.conf'), postgresqlConfig({ port, socketFolder: folder }))
  await writeFile(join(data, 'pg_hba.conf'), hostRules)
}

async function copyFrom(place: DatabasePlace, primary: DatabaseServer): Promise<void> {
  const { programs, name, port, user } = place
  const data = dataOf(place)
  await makeFolder(place)
  await run(place, programs.pgBasebackup, ['-d', primary.url, '-D', data, '-X', 'stream', '-c', 'fast'])
  // What was set on the primary, such as who copies it, does not hold here.
  await writeFile(join(data, 'postgresql.auto.conf'), standbyConfig(primary.port, name))
  await appendFile(join(data, 'postgresql.conf'), `port = ${port}\n`)
  const signal = join(data, 'standby.signal')
  await writeFile(signal, '')
  if (user !== undefined) await chown(signal, user.uid, user.gid)
}

async function start(place: DatabasePlace, url: string): Promise<RunningProgram> {
  const { programs, folder, name, user } = place
  const data = dataOf(place)
  await rm(join(data, 'postmaster.pid'), { force: true })
  const log = join(folder, `${name}.log`)
  const running = await runProgram({ program: programs.postgres, args: ['-D', data], log, user })
  await waitUntil(async () => (await runOn(url, 'select 1')).length === 1, `the start of ${name}`, 60_000)
  return running
}

/** Makes the functions of one server; nothing runs yet. */
export function databaseServer(place: DatabasePlace): DatabaseServer {
  const { name, port } = place
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  let running: RunningProgram | undefined
  return {
    name,
    port,
    url,
    create: async () => create(place),
    copyFrom: async (primary) => copyFrom(place, primary),
    start: async () => {
      running = await start(place, url)
    },
    stop: async () => running?.stop('SIGINT', 30_000),
    kill: async () => {
      running?.signal('SIGKILL')
      await running?.ended
      await endChildren(dataOf(place))
    },
    isRunning: () => running?.isRunning() === true
  }
}

/** Its other processes notice that the first one is gone, and end; data may be used again when the last one has. */
async function endChildren(data: string): Promise<void> {
  const isFree = async (): Promise<boolean> => {
    const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')
    return !(await isAttached(lines[6] ?? ''))
  }
  await waitUntil(isFree, 'the end of the processes of a killed server')
}

/** Whether some process still has this shared memory: "key id", as postmaster.pid says. @see man 5 proc, /proc/sysvipc/shm */
async function isAttached(text: string): Promise<boolean> {
  const id = text.trim().split(/\s+/)[1]
  const lines = (await readFile('/proc/sysvipc/shm', 'utf8')).split('\n').slice(1)
  const fields = lines.map((line) => line.trim().split(/\s+/)).find((each) => each[1] === id)
  return fields !== undefined && Number(fields[6]) > 0
}

/** Opens a folder for the user that PostgreSQL runs as. */
export async function openFolder(folder: string, user: DatabasePlace['user']): Promise<void> {
  if (user === undefined) return
  await chmod(folder, 0o711)
  await chown(folder, user.uid, user.gid)
}
