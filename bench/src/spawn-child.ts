import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A process that answers questions over IPC, one at a time. */
export interface Child<Question extends string, Message> {
  readonly pid: number
  /** Resolves with the next message of the process. @throws {ChildEnded} it ended instead */
  readonly next: () => Promise<Message>
  readonly ask: (question: Question) => Promise<Message>
  readonly stop: () => Promise<void>
}

/** A process of the benchmark ended before its time. */
export class ChildEnded extends Error {
  readonly code = 'BENCH_CHILD_ENDED'
}

/** Starts `script`, a file beside this one, with one argument, in this Node or another one. */
export function spawnChild<Question extends string, Message>(
  script: string,
  argument: unknown,
  execPath = process.execPath
): Child<Question, Message> {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), [JSON.stringify(argument)], {
    execPath,
    execArgv: ['--max-old-space-size=8192']
  })
  const next = () => nextMessage<Message>(child, script)
  return {
    // A process that was spawned has a number; one that was not ends at once.
    pid: child.pid ?? 0,
    next,
    ask: (question) => {
      const answer = next()
      child.send(question)
      return answer
    },
    stop: () => stop(child)
  }
}

async function nextMessage<Message>(child: ChildProcess, script: string): Promise<Message> {
  const ending = new AbortController()
  const end = once(child, 'exit', { signal: ending.signal })
  const message = once(child, 'message', { signal: ending.signal })
  const [first] = await Promise.race([message, end.then(() => [ended])])
  ending.abort()
  await Promise.allSettled([end, message])
  if (first === ended) throw new ChildEnded(`${script} ended before it answered; what it printed stands above`)
  // Each script has its own type of messages, which its caller names.
  return first as Message
}

const ended: unique symbol = Symbol('ended')

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const end = once(child, 'exit')
  child.disconnect()
  await end
}
