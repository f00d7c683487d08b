import { setTimeout as pause } from 'node:timers/promises'
import { type ProgramOptions, type RunningProgram, runProgram } from './run-program.ts'
import { waitUntil } from './wait-until.ts'

/** One process of the application, which is started again whenever it ends, as systemd or an orchestrator does. */
export interface ApplicationProcess {
  readonly port: number
  readonly probes: number
  readonly pid: () => number | undefined
  /** How often it has been started. */
  readonly starts: () => number
  readonly start: () => Promise<void>
  /** Kills it. It is started again after a second. */
  readonly kill: () => Promise<void>
  /** Ends it in good order. */
  readonly stop: () => Promise<void>
}

/** What runs. */
export interface ApplicationOptions extends ProgramOptions {
  readonly port: number
  readonly probes: number
}

/** Milliseconds before a process that ended is started again. */
const again = 1000

/** Makes the functions of one process; nothing runs yet. */
export function applicationProcess({ port, probes, ...options }: ApplicationOptions): ApplicationProcess {
  let running: RunningProgram | undefined
  let isStopping = false
  let starts = 0
  const run = async (): Promise<void> => {
    running = await runProgram(options)
    starts++
    void watch(running)
  }
  const watch = async ({ ended }: RunningProgram): Promise<void> => {
    await ended
    await pause(again, undefined, { ref: false })
    if (!isStopping) await run()
  }
  return {
    port,
    probes,
    pid: () => (running?.isRunning() === true ? running.pid : undefined),
    starts: () => starts,
    start: async () => {
      await run()
      const url = `http://127.0.0.1:${probes}/ready`
      await waitUntil(async () => (await fetch(url)).ok, 'the start of a process of the application', 60_000)
    },
    kill: async () => {
      running?.signal('SIGKILL')
      await running?.ended
    },
    stop: async () => {
      isStopping = true
      await running?.stop()
    }
  }
}
