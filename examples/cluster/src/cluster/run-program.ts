import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { ClusterFailed } from './errors.ts'

/** How a program is started. */
export interface ProgramOptions {
  readonly program: string
  readonly args: readonly string[]
  /** File that gets what it prints. */
  readonly log: string
  readonly env?: Readonly<Record<string, string>>
  /** Whom it runs as: this user when absent. */
  readonly user?: Readonly<{ uid: number; gid: number }> | undefined
}

/** A program that runs. */
export interface RunningProgram {
  readonly pid: number
  /** Resolves when it has ended, with how. */
  readonly ended: Promise<string>
  readonly isRunning: () => boolean
  readonly signal: (signal: NodeJS.Signals) => void
  /** Asks it to end, and kills it after `limit` milliseconds. */
  readonly stop: (signal?: NodeJS.Signals, limit?: number) => Promise<void>
}

async function endOf(child: ChildProcess): Promise<string> {
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null] // as Node's documentation has it
  return signal ?? `exit code ${code}`
}

/** Starts a program. @throws {ClusterFailed} it cannot be started */
export async function runProgram({ program, args, log, env, user }: ProgramOptions): Promise<RunningProgram> {
  const file = openSync(log, 'a')
  const child = spawn(program, args, {
    // A group of its own: Ctrl-C reaches this process alone, which ends the others in their order.
    detached: true,
    stdio: ['ignore', file, file],
    env: { ...process.env, ...env },
    ...(user === undefined ? {} : { ...user, cwd: '/' })
  })
  closeSync(file)
  try {
    await once(child, 'spawn')
  } catch (cause) {
    throw new ClusterFailed(`${program} cannot be started`, { cause })
  }
  const ended = endOf(child)
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null
  const stop = async (signal: NodeJS.Signals = 'SIGTERM', limit = 15_000): Promise<void> => {
    if (!isRunning()) return
    child.kill(signal)
    const late = new AbortController()
    await Promise.race([ended, pause(limit, undefined, { signal: late.signal }).catch(() => {})])
    late.abort()
    if (isRunning()) child.kill('SIGKILL')
    await ended
  }
  // A program that was spawned has a number.
  return { pid: child.pid ?? 0, ended, isRunning, signal: (signal) => void child.kill(signal), stop }
}

/** Lines of a log that an error repeats: the log may be gone with its folder. */
const repeatedLines = 80

/** Runs a program to its end. @throws {ClusterFailed} it fails */
export async function runToEnd(options: ProgramOptions): Promise<void> {
  const end = await (await runProgram(options)).ended
  if (end === 'exit code 0') return
  const said = readFileSync(options.log, 'utf8').trimEnd().split('\n').slice(-repeatedLines).join('\n')
  throw new ClusterFailed(`${options.program}: ${end}, see ${options.log}, which ends:\n${said}`)
}
