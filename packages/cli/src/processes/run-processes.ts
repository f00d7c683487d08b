import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { CommandError } from '../errors.ts'
import { failed } from '../exit-codes.ts'
import type { Terminal } from '../terminal.ts'
import { untilStopped } from './until-stopped.ts'

/** More are a mistake: each needs memory and connections of its own. */
const mostProcesses = 256
/** Milliseconds before a process that ended is replaced: doubled each time, unless it listened for a while. */
const firstPause = 250
/** Milliseconds after which a process that listens is no longer taken for one that fails at its start. */
const steadyAfter = 5000
const longestPause = 30_000

/**
 * Parses the value of `--processes`.
 * @throws {CommandError} USAGE: it is neither `auto` nor a number of processes
 */
export function readProcesses(text: string): number {
  if (text === 'auto') return availableParallelism()
  const number = Number(text)
  if (/^[1-9]\d*$/.test(text) && number <= mostProcesses) return number
  throw new CommandError('USAGE', `--processes must be auto or an integer from 1 to ${mostProcesses}, not ${text}`)
}

/** The command line arguments of each process: those of this one, without `--processes`. */
export function argumentsOfProcess(args: readonly string[]): string[] {
  return args.filter(
    (arg, at) => !arg.startsWith('--processes=') && arg !== '--processes' && args[at - 1] !== '--processes'
  )
}

/** True for the first of several processes that `--processes` started, or the only one: it prints what others would repeat. */
export const isPrimary = (): boolean => cluster.worker === undefined || cluster.worker.id === 1

/** How a process ended. */
interface End {
  readonly worker: Worker
  readonly code: number | null
  readonly signal: string | null
}

const describeEnd = ({ worker, code, signal }: End): string =>
  `process ${worker.process.pid ?? worker.id} ended ${signal === null ? `with exit code ${code}` : `by ${signal}`}`

/** Resolves when a process has ended: false where something went wrong. One that has not begun to serve is ended by the signal. */
async function endOf(worker: Worker): Promise<boolean> {
  const [code, signal] = (await once(worker, 'exit')) as [number | null, string | null] // as Node's documentation has it
  return code === 0 || signal === 'SIGTERM'
}

/** Keeps a number of processes running, which share one port. */
class Processes {
  readonly #terminal: Terminal
  /** When each began to listen, in milliseconds of the process. */
  readonly #listening = new Map<Worker, number>()
  readonly #timers = new Set<NodeJS.Timeout>()
  #pause = firstPause
  #isStopping = false
  #hasListened = false

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  /**
   * Starts the processes, and replaces those that end. It never resolves.
   * @throws {CommandError} PROCESS_FAILED: one ended before any had listened
   */
  async run(count: number): Promise<never> {
    cluster.on('listening', (worker) => {
      this.#hasListened = true
      if (!this.#listening.has(worker)) this.#listening.set(worker, performance.now())
    })
    return new Promise((_resolve, reject) => {
      cluster.on('exit', (worker, code, signal) => {
        try {
          this.#replace({ worker, code, signal })
        } catch (error) {
          reject(error)
        }
      })
      for (let at = 0; at < count; at++) cluster.fork()
    })
  }

  /** Ends all processes, and resolves to how many of them did not end in good order. */
  async stop(): Promise<number> {
    this.#isStopping = true
    for (const timer of this.#timers) clearTimeout(timer)
    const workers = Object.values(cluster.workers ?? {}).flatMap((worker) =>
      worker?.isDead() === false ? [worker] : []
    )
    const ends = workers.map(async (worker) => endOf(worker))
    for (const worker of workers) worker.process.kill('SIGTERM')
    return (await Promise.all(ends)).filter((isOrderly) => !isOrderly).length
  }

  #replace(end: End): void {
    const since = this.#listening.get(end.worker)
    this.#listening.delete(end.worker)
    if (this.#isStopping) return
    if (!this.#hasListened) {
      const why = `${describeEnd(end)} before it started listening: see its log`
      throw new CommandError('PROCESS_FAILED', why, failed)
    }
    const isSteady = since !== undefined && performance.now() - since > steadyAfter
    const pause = isSteady ? firstPause : this.#pause
    this.#pause = Math.min(pause * 2, longestPause)
    this.#terminal.err(`modelwire: ${describeEnd(end)}, restarting in ${pause} ms`)
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      cluster.fork()
    }, pause)
    this.#timers.add(timer)
  }
}

/**
 * Runs this command in several processes, which share its port, until this one receives a signal to end. A process that
 * ends by itself is replaced. If this process is killed, the others end.
 * @throws {CommandError} PROCESS_FAILED: a process ended before any had listened, or did not end in good order
 */
export async function runProcesses(count: number, terminal: Terminal): Promise<void> {
  cluster.setupPrimary({ args: argumentsOfProcess(process.argv.slice(2)) })
  const { relayMetrics } = await import('@modelwire/ops/relay')
  relayMetrics()
  const processes = new Processes(terminal)
  try {
    await Promise.race([untilStopped(), processes.run(count)])
  } catch (error) {
    await processes.stop()
    throw error
  }
  const late = await processes.stop()
  if (late > 0)
    throw new CommandError(
      'PROCESS_FAILED',
      `${late} of the processes did not shut down cleanly: see their logs`,
      failed
    )
}
