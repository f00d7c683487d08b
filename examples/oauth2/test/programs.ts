import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'

/** A program that runs, and what it has said so far. */
export interface Program {
  readonly process: ChildProcess
  /** Waits until the program has said this; gives the match. */
  says(pattern: RegExp): Promise<RegExpExecArray>
  /** Waits until it ends; gives all it said. */
  ends(): Promise<string>
}

/** Starts a program; it is stopped with the test. */
export function start(t: Test, command: readonly string[], env: Readonly<Record<string, string>> = {}): Program {
  const [name = '', ...args] = command
  const child = spawn(name, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  t.teardown(async () => {
    child.kill()
    await ended
  })
  let said = ''
  const listeners = new Set<() => void>()
  const hear = (text: string) => {
    said += text
    for (const listener of listeners) listener()
  }
  child.stdout.setEncoding('utf8').on('data', hear)
  child.stderr.setEncoding('utf8').on('data', hear)
  const says = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(said)
        if (match !== null) resolve(match)
      }
      listeners.add(look)
      child.once('close', () => reject(new Error(`${command.join(' ')} said only: ${said}`)))
      look()
    })
  const ends = async () => {
    await ended
    return said
  }
  return { process: child, says, ends }
}

/** The compiled program with this name. */
export const programOf = (name: string): readonly string[] => [
  process.execPath,
  fileURLToPath(new URL(`../dist/${name}.js`, import.meta.url))
]

/** A free port of this machine. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}
