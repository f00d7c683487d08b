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
import { writeResults } from './keep-results.ts'
import { InvalidBenchOption, parseOptions, usage } from './options.ts'

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

const machine = `Node ${process.version}, ${arch()}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}`

try {
  await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof InvalidBenchOption)) throw error
  console.error(`${error.message}\n\n${usage}`)
  process.exitCode = 2
}

async function main(args: readonly string[]): Promise<void> {
  if (args.includes('--help')) return print(usage)
  const options = parseOptions(args)
  const save = async (results: unknown): Promise<void> => {
    if (options.json !== undefined) await writeResults(options.json, { machine, options, results })
  }
  print(machine)
  await save(await commands[options.command](options, print, save))
}

function print(text: string): void {
  console.log(text)
}
