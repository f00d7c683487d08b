import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { until } from '@modelwire/test-waits'
import type { Test } from 'tap'
import type { WorkerTask } from './worker.ts'

/** A change that a worker has heard of. */
export interface Heard {
  readonly position: string
  readonly kind: string
  readonly id: unknown
  readonly number: unknown
}

/** A process that hears of changes. */
export interface Worker {
  readonly heard: readonly Heard[]
  /** What it logged. */
  readonly lines: readonly string[]
  /** How often it has read the log of the database. */
  readonly countReads: () => Promise<number>
  /** Kills it, with no chance to say anything. */
  readonly kill: () => Promise<void>
}

const file = fileURLToPath(new URL('worker.js', import.meta.url))

/** Starts a process that hears of changes from when this resolves; it ends with the test. */
export async function startWorker(t: Test, task: WorkerTask): Promise<Worker> {
  const env = { ...process.env, MODELWIRE_TASK: JSON.stringify(task) }
  const child = spawn(process.execPath, [file], { env, stdio: ['pipe', 'pipe', 'pipe'] })
  const [heard, lines]: [Heard[], string[]] = [[], []]
  let [reads, isReady]: [number | undefined, boolean] = [undefined, false]
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line) as Heard & { readonly reads?: number; readonly isReady?: boolean } // as it says
    if (message.isReady === true) isReady = true
    else if (message.reads === undefined) heard.push(message)
    else ({ reads } = message)
  })
  createInterface({ input: child.stderr }).on('line', (line) => void lines.push(line))
  const kill = async (): Promise<void> => {
    const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined
    child.kill('SIGKILL')
    await ended
  }
  t.teardown(kill)
  await until(
    () => isReady,
    () => `a worker to be ready: ${lines.join('\n')}`,
    60_000
  )
  const countReads = async (): Promise<number> => {
    reads = undefined
    child.stdin.write('reads\n')
    return until(() => reads, 'a worker to answer')
  }
  return { heard, lines, countReads, kill }
}
