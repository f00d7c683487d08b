import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { findPort } from '@modelwire/connector-tests'
import { until } from '@modelwire/test-waits'
import type { Test } from 'tap'

/** A server of a test's own, whose data stay when it is killed. */
export interface OwnServer {
  readonly port: number
  readonly start: () => Promise<void>
  /** Kills it, with no chance to write anything. */
  readonly kill: () => Promise<void>
  /** Lets it answer nothing, until the returned function is called. */
  readonly freeze: () => () => void
  /** Removes its data; it must not run. */
  readonly forget: () => Promise<void>
}

/** The arguments of a server on a port, with data in a folder. */
type Arguments = (port: number, folder: string) => readonly string[]

const programs: Readonly<Record<string, Arguments>> = {
  'redis-server': (port, folder) => [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--save',
    '',
    '--appendonly',
    'yes'
  ],
  'nats-server': (port, folder) => ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', folder]
}

/** Why a program cannot be started here; false where it can. */
export function whyNoProgram(program: string): string | false {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  return folders.some((folder) => existsSync(join(folder, program))) ? false : `needs ${program}`
}

/** Why nothing answers at a port of this machine; false where something does. */
export async function whyNoServerAt(name: string, port: number): Promise<string | false> {
  return (await answers(port)) ? false : `needs ${name} at 127.0.0.1:${port}`
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** Starts a server, which ends with the test. @param further arguments */
export async function startServer(
  t: Test,
  program: 'redis-server' | 'nats-server',
  further: readonly string[] = []
): Promise<OwnServer> {
  const [port, folder] = [await findPort(), await mkdtemp(join(tmpdir(), 'modelwire-transport-'))]
  const args = [...(programs[program]?.(port, folder) ?? []), ...further]
  const env = { ...process.env, PATH: `${process.env['PATH']}${delimiter}/usr/sbin${delimiter}/usr/local/sbin` }
  let child: ChildProcess | undefined
  const server: OwnServer = {
    port,
    async start() {
      await mkdir(folder, { recursive: true })
      child = spawn(program, args, { stdio: 'ignore', env })
      await until(() => answers(port), `${program} to answer`)
    },
    async kill() {
      const ended = child?.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined
      child?.kill('SIGKILL')
      await ended
    },
    freeze() {
      child?.kill('SIGSTOP')
      return () => void child?.kill('SIGCONT')
    },
    forget: async () => rm(folder, { recursive: true, force: true })
  }
  t.teardown(async () => {
    await server.kill()
    await server.forget()
  })
  await server.start()
  return server
}
