import { fork } from 'node:child_process'
import type { FileOutcome, TestOutcome } from './outcome.ts'

export type Side = 'original' | 'here'

/** Milliseconds that a file of tests may take. */
const patience = 120_000

/** Runs one file of a checkout's tests in a process of its own. */
export function runFile(checkout: string, file: string, side: Side): Promise<FileOutcome> {
  const passed = new Set<string>()
  const failures = new Map<string, string>()
  const { NODE_ENV: _environment, ...env } = process.env
  return new Promise((resolve) => {
    const child = fork(new URL('run-file.js', import.meta.url), [checkout, file, side], {
      env,
      silent: true,
      timeout: patience
    })
    const printed: Buffer[] = []
    child.stderr?.on('data', (part: Buffer) => printed.push(part))
    child.stdout?.resume()
    child.on('message', ({ title, failure }: TestOutcome) => {
      if (failure === undefined) passed.add(title)
      else failures.set(title, failure)
    })
    child.on('close', (code, signal) => {
      if (code !== 0) failures.set('(the file)', `${signal ?? code}: ${Buffer.concat(printed).toString().slice(-4000)}`)
      resolve({ passed, failures })
    })
  })
}
