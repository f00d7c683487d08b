import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunningApp, StartApp } from '../replay.ts'
import type { IdPlaces } from './object-ids.ts'

/** A LoopBack that answers, and where its application has ids that the database makes. */
export interface RunningLoopback extends RunningApp {
  readonly places: IdPlaces
}

interface Told {
  readonly url?: string
  readonly places?: IdPlaces
  readonly error?: string
}

type StartOptions = Parameters<StartApp>[0]

const ended: Told = { error: 'the process ended' }

/** Processes that start applications with LoopBack, one after the other. One that ended is left out. */
export class LoopbackProcesses {
  readonly #args: readonly string[]
  readonly #idle: ChildProcess[] = []

  /** @param folder where LoopBack is installed; @param ids which ids its connector makes */
  constructor(folder: string, ids: 'counting' | 'objectid') {
    this.#args = [folder, ids]
  }

  /**
   * Starts an application folder.
   * @throws {Error} it does not start
   */
  async start({ appDir, env }: StartOptions): Promise<RunningLoopback> {
    const [folder = '.'] = this.#args
    await symlink(join(folder, 'node_modules'), join(appDir, 'node_modules'), 'dir')
    const child = this.#idle.pop() ?? this.#open()
    const { url, places, error } = await tell(child, { appDir, env })
    const close = async (): Promise<void> => {
      if (isRunning(child) && (await tell(child, {})).error === undefined) this.#idle.push(child)
      else child.kill('SIGKILL')
    }
    if (url !== undefined && places !== undefined) return { url, places, close }
    await close()
    throw new Error(error ?? 'the process said nothing')
  }

  close(): void {
    for (const child of this.#idle.splice(0)) child.kill('SIGKILL')
  }

  #open(): ChildProcess {
    // The explorer tells of the package of the folder that it runs in.
    return fork(join(import.meta.dirname, 'loopback-process.js'), [...this.#args], {
      cwd: tmpdir(),
      env: { ...process.env, TZ: 'UTC' },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc']
    })
  }
}

const isRunning = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null

async function tell(child: ChildProcess, wanted: Partial<StartOptions>): Promise<Told> {
  const done = new AbortController()
  const { signal } = done
  const exit = async (): Promise<Told[]> => {
    await once(child, 'exit', { signal })
    return [ended]
  }
  const answer = once(child, 'message', { signal })
  child.send(wanted)
  const [told = ended] = (await Promise.race([answer, exit()])) as Told[] // the one thing that it sends
  done.abort()
  return told
}
