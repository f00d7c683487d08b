import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { createServer, connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Application, Side } from './application.ts'

/** A side that runs. */
export interface RunningServer {
  readonly url: string
  /** Everything that it wrote. */
  log(): string
  stop(): Promise<void>
}

/** A side that did not start, with the last of what it wrote. */
export interface FailedStart {
  readonly reason: string
  readonly log: string
}

const startTimeoutMs = 60_000
const firstPort = 20_000

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return await new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/** A free port of 127.0.0.1, from `from` up. */
export async function freePort(from = firstPort): Promise<number> {
  return (await isFree(from)) ? from : freePort(from + 1)
}

async function accepts(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    const end = (answer: boolean) => () => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', end(true)).once('error', end(false))
  })
}

function commandOf(side: Side, { main }: Application, folder: string, port: number): readonly string[] {
  const describe = new URL('describe-loopback.js', import.meta.url).href
  if (side === 'loopback') return ['--import', describe, main]
  const command = join(import.meta.dirname, '..', '..', '..', 'packages', 'cli', 'dist', 'main.js')
  return [command, 'serve', folder, '--port', String(port), '--host', '127.0.0.1']
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const kill = setTimeoutUnref(() => child.kill('SIGKILL'), 5000)
  await ended
  clearTimeout(kill)
}

const setTimeoutUnref = (action: () => void, ms: number): NodeJS.Timeout => setTimeout(action, ms).unref()

async function untilStarted(child: ChildProcess, port: number, isReady: () => boolean): Promise<string | undefined> {
  const end = Date.now() + startTimeoutMs
  while (Date.now() < end) {
    if (child.exitCode !== null || child.signalCode !== null)
      return `the process ended with ${child.exitCode ?? child.signalCode}`
    if ((await accepts(port)) && isReady()) return undefined
    await sleep(200)
  }
  return (await accepts(port))
    ? 'listens, but has no description'
    : `nothing listens after ${startTimeoutMs / 1000} seconds`
}

/** How a side is started. */
export interface StartOptions {
  readonly application: Application
  readonly side: Side
  readonly folder: string
  /** Beside an open port, what has to be there. */
  readonly isReady: () => boolean
  readonly environment: Readonly<Record<string, string>>
}

/** Starts one side in a process of its own, on a free port. */
export async function startServer(options: StartOptions): Promise<RunningServer | FailedStart> {
  const { application, side, folder, isReady, environment } = options
  const port = await freePort(side === 'loopback' ? firstPort : firstPort + 500)
  const logFile = `${folder}.log`
  const output = openSync(logFile, 'w')
  const child = spawn(process.execPath, commandOf(side, application, folder, port), {
    cwd: folder,
    stdio: ['ignore', output, output],
    env: {
      ...process.env,
      TZ: 'UTC',
      NODE_ENV: application.env,
      PORT: String(port),
      HOST: '127.0.0.1',
      ...application.environment,
      ...environment
    }
  })
  closeSync(output)
  const log = (): string => readFileSync(logFile, 'utf8')
  const reason = await untilStarted(child, port, isReady)
  if (reason === undefined) return { url: `http://127.0.0.1:${port}`, log, stop: () => stopProcess(child) }
  await stopProcess(child)
  return { reason, log: log() }
}
