import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** What a process says of an application that it was told to start. */
export interface Started {
  readonly url?: string
  readonly error?: string
}

/** Starts applications in a process of its own, and takes a new process when that one ended or has started many. */
export interface Starter {
  start(appDir: string): Promise<Started>
  close(): void
}

const startsPerProcess = 150

async function askToStart(child: ChildProcess, appDir: string): Promise<Started> {
  const done = new AbortController()
  const { signal } = done
  const ended = async (): Promise<Started[]> => {
    await once(child, 'exit', { signal })
    return [{ error: 'the process ended' }]
  }
  const answered = once(child, 'message', { signal })
  child.send(appDir)
  const [message] = (await Promise.race([answered, ended()])) as [Started] // the one thing that it sends
  done.abort()
  return message
}

/** A starter whose processes are given these arguments. */
export function openStarter(args: readonly string[]): Starter {
  let child: ChildProcess | undefined
  let starts = 0
  const close = (): void => {
    child?.kill('SIGKILL')
    child = undefined
  }
  const open = async (): Promise<ChildProcess> => {
    const stdio: ('ignore' | 'ipc')[] = ['ignore', 'ignore', 'ignore', 'ipc']
    const made = fork(join(import.meta.dirname, 'framework-process.js'), args, { stdio })
    await once(made, 'message')
    child = made
    starts = 0
    return made
  }
  return {
    async start(appDir) {
      starts += 1
      if (starts > startsPerProcess || child?.connected === false) close()
      return askToStart(child ?? (await open()), appDir)
    },
    close
  }
}
