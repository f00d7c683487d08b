import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'

/** The program of this example, running. */
export interface Program {
  /** Waits until the program has said this; gives all that it has said. */
  says(pattern: RegExp): Promise<string>
  /** Ends it by a signal; returns its exit code. */
  stop(): Promise<unknown>
}

/** Starts the program; it ends with the test at the latest. */
export function startProgram(t: Test, env: Readonly<Record<string, string>>): Program {
  const main = fileURLToPath(new URL('../dist/main.js', import.meta.url))
  const child = spawn(process.execPath, [main], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'close')
  const stop = async () => {
    child.kill()
    const [code]: unknown[] = await ended
    return code
  }
  t.teardown(stop)
  let said = ''
  const says = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const hear = (text: string) => {
        said += text
        if (pattern.test(said)) resolve(said)
      }
      child.stdout.setEncoding('utf8').on('data', hear)
      child.stderr.setEncoding('utf8').on('data', hear)
      child.once('close', () => reject(new Error(`the program said only: ${said}`)))
    })
  return { says, stop }
}

/** A free port of this machine. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}
