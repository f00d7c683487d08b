import { writeResults } from '../keep-results.ts'
import { runOAuth2 } from '../oauth2/run-oauth2.ts'
import type { BenchOptions, Measurement } from '../options.ts'
import { readOrigin } from '../origin.ts'
import { runAccess } from './run-access.ts'
import { runChanges } from './run-changes.ts'
import { runGrowth } from './run-growth.ts'
import { runLoad } from './run-load.ts'
import { runLogins } from './run-logins.ts'
import { runMixed } from './run-mixed.ts'
import { runOps } from './run-ops.ts'
import { runProcesses } from './run-processes.ts'
import { runStart } from './run-start.ts'
import { runStatements } from './run-statements.ts'
import { runStreams } from './run-streams.ts'

/** Measures something, prints it, and resolves with all numbers; `save` gets those that there are meanwhile. */
type Run = (
  options: BenchOptions,
  print: (text: string) => void,
  save: (results: unknown) => Promise<void>
) => Promise<unknown>

const runs: Readonly<Record<Measurement, Run>> = {
  load: runLoad,
  growth: runGrowth,
  start: runStart,
  access: runAccess,
  ops: runOps,
  logins: runLogins,
  oauth2: runOAuth2,
  streams: runStreams,
  processes: runProcesses,
  changes: runChanges,
  statements: runStatements,
  mixed: runMixed
}

/** Measures what the options name, prints it, and writes the numbers to the file of `--json`. */
export async function measure(
  command: Measurement,
  options: BenchOptions,
  print: (text: string) => void
): Promise<void> {
  const { json } = options
  const origin = readOrigin()
  const keep = async (results: unknown, done: boolean): Promise<void> => {
    if (json !== undefined) await writeResults(json, { origin, options, done, results })
  }
  await keep(await runs[command](options, print, (results) => keep(results, false)), true)
}
