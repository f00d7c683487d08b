import { writeFile } from 'node:fs/promises'
import { arch, cpus } from 'node:os'
import { runAccess } from './commands/run-access.ts'
import { runChanges } from './commands/run-changes.ts'
import { runGrowth } from './commands/run-growth.ts'
import { runLoad } from './commands/run-load.ts'
import { runLogins } from './commands/run-logins.ts'
import { runOAuth2 } from './oauth2/run-oauth2.ts'
import { runOps } from './commands/run-ops.ts'
import { runProcesses } from './commands/run-processes.ts'
import { runStatements } from './commands/run-statements.ts'
import { runStreams } from './commands/run-streams.ts'
import { runStart } from './commands/run-start.ts'
import { InvalidBenchOption, parseOptions, usage, type BenchOptions } from './options.ts'

const commands = {
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
  statements: runStatements
}

const options = readOptions(process.argv.slice(2))
if (options !== undefined) {
  const machine = `Node ${process.version}, ${arch()}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}`
  print(machine)
  const results = await commands[options.command](options, print)
  if (options.json !== undefined) await writeFile(options.json, JSON.stringify({ machine, options, results }, null, 2))
}

function print(text: string): void {
  console.log(text)
}

/** Undefined when nothing is to be measured. */
function readOptions(args: readonly string[]): BenchOptions | undefined {
  if (args.includes('--help')) {
    print(usage)
    return undefined
  }
  try {
    return parseOptions(args)
  } catch (error) {
    if (!(error instanceof InvalidBenchOption)) throw error
    console.error(`${error.message}\n\n${usage}`)
    process.exitCode = 2
    return undefined
  }
}
