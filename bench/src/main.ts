import { measure } from './commands/measure.ts'
import { ResultsUnfit } from './keep-results.ts'
import { InvalidBenchOption, parseOptions, usage } from './options.ts'
import { readOrigin } from './origin.ts'
import { runReport } from './report/run-report.ts'

try {
  await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof InvalidBenchOption)) throw error
  console.error(error instanceof ResultsUnfit ? error.message : `${error.message}\n\n${usage}`)
  process.exitCode = 2
}

async function main(args: readonly string[]): Promise<void> {
  if (args.includes('--help')) return print(usage)
  const options = parseOptions(args)
  print(readOrigin().machine)
  if (options.command !== 'report') return measure(options.command, options, print)
  if (!(await runReport(options, print))) process.exitCode = 1
}

function print(text: string): void {
  console.log(text)
}
