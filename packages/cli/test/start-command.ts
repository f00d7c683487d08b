import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { until } from '@modelwire/test-waits'
import type { Test } from 'tap'

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url))

/** The command in a process of its own. */
export interface Started {
  readonly child: ChildProcess
  /** Everything that it printed. */
  readonly text: () => string
  readonly until: (pattern: RegExp) => Promise<RegExpExecArray>
  readonly ended: Promise<number | null>
}

/** Runs the command until the test is over. */
export function startCommand(t: Test, args: readonly string[]): Started {
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  t.teardown(() => void child.kill('SIGKILL'))
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (text += part))
  const untilPrinted = async (pattern: RegExp): Promise<RegExpExecArray> =>
    until(
      () => pattern.exec(text),
      () => `${String(pattern)} to be printed: ${text}`,
      60_000
    )
  const ended = new Promise<number | null>((resolve) => {
    child.once('exit', resolve)
  })
  return { child, text: () => text, until: untilPrinted, ended }
}
