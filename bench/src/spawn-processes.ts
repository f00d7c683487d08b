import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { setTimeout as pause } from 'node:timers/promises'
import { ChildEnded } from './spawn-child.ts'

/** Several processes that share a port, running. */
export interface RunningProcesses {
  readonly address: string
  /** Of the processes that answer, and of the one that started them. */
  readonly pids: readonly number[]
  readonly stop: () => Promise<void>
}

const folder = fileURLToPath(new URL('..', import.meta.url))
const handwritten = fileURLToPath(new URL('servers/handwritten-processes.js', import.meta.url))

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a port has an address.
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function askProcess(address: string): Promise<number | undefined> {
  try {
    const answer = await fetch(`${address}/process`, { headers: { connection: 'close' } })
    const { pid } = (await answer.json()) as { pid: number } // the route of the server
    return pid
  } catch {
    return undefined
  }
}

/** Asks on new connections until so many processes have answered. @throws {ChildEnded} they do not */
async function findProcesses(child: ChildProcess, address: string, count: number): Promise<number[]> {
  const pids = new Set<number>()
  const end = performance.now() + 60_000
  while (pids.size < count) {
    if (child.exitCode !== null || performance.now() > end) throw new ChildEnded('modelwire serve does not answer')
    const pid = await askProcess(address)
    if (pid === undefined) await pause(100)
    else pids.add(pid)
  }
  return [...pids]
}

/** What starts the processes, by what they serve. */
const argumentsOf = {
  modelwire: (count: string, port: string) => {
    const command = createRequire(import.meta.url).resolve('modelwire/package.json')
    const args = ['serve', folder, '--processes', count, '--host', '127.0.0.1', '--port', port, '--log-level', 'error']
    return [command.replace('package.json', 'dist/main.js'), ...args]
  },
  handwritten: (count: string, port: string) => [handwritten, count, port]
}

/** What the processes serve. */
export type SharedKind = keyof typeof argumentsOf

/** Starts that many processes on a database, and waits until all of them answer. @throws {ChildEnded} */
export async function spawnProcesses(kind: SharedKind, count: number, databaseUrl: string): Promise<RunningProcesses> {
  const port = await freePort()
  const child = spawn(process.execPath, argumentsOf[kind](String(count), String(port)), {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, BENCH_DATABASE_URL: databaseUrl }
  })
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
  const address = `http://127.0.0.1:${port}`
  try {
    const workers = await findProcesses(child, address, count)
    // A process that was spawned has a number.
    return { address, pids: [...workers, child.pid ?? 0], stop }
  } catch (error) {
    await stop()
    throw error
  }
}
