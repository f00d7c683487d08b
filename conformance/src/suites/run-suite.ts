import { fork } from 'node:child_process'
import type { FileOutcome, TestOutcome } from './outcome.ts'

export type Side = 'original' | 'here'

/** Milliseconds that a file of tests may take. */
const patience = 120_000

const noSuchPart = 9

/** Runs one file of a checkout's tests, or a part of it, in a process of its own. */
export function runFile(checkout: string, file: string, side: Side, part?: number): Promise<FileOutcome> {
  const passed = new Set<string>()
  const failures = new Map<string, string>()
  const { NODE_ENV: _environment, ...env } = process.env
  return new Promise((resolve) => {
    const args = [checkout, file, side, ...(part === undefined ? [] : [String(part)])]
    const child = fork(new URL('run-file.js', import.meta.url), args, {
      env,
      silent: true,
      timeout: patience
    })
    const printed: Buffer[] = []
    child.stderr?.on('data', (bytes: Buffer) => printed.push(bytes))
    child.stdout?.resume()
    child.on('message', ({ title, failure }: TestOutcome) => {
      if (failure === undefined) passed.add(title)
      else failures.set(title, failure)
    })
    child.on('close', (code, signal) => {
      if (code !== 0) failures.set('(the file)', `${signal ?? code}: ${Buffer.concat(printed).toString().slice(-4000)}`)
      resolve({ passed, failures, isMissing: code === noSuchPart })
    })
  })
}

/** The parts of a file, each in a process of its own. */
async function runParts(checkout: string, file: string): Promise<FileOutcome> {
  const passed = new Set<string>()
  const failures = new Map<string, string>()
  for (let part = 0; ; part += 1) {
    const outcome = await runFile(checkout, file, 'here', part)
    if (outcome.isMissing === true) return { passed, failures }
    for (const title of outcome.passed) passed.add(title)
    for (const [title, failure] of outcome.failures) failures.set(title, failure)
  }
}

/**
 * Runs one file here. Its tests often share an application, to which some of them add when it has answered others: where that is
 * refused, its parts are run by themselves as well.
 */
export async function runHere(checkout: string, file: string): Promise<FileOutcome> {
  const whole = await runFile(checkout, file, 'here')
  const isLate = [...whole.failures.values()].some((failure) => failure.includes('RegistrySealed'))
  if (!isLate) return whole
  const { passed, failures } = await runParts(checkout, file)
  return { ...whole, alone: passed, failures: new Map([...whole.failures, ...failures]) }
}
