// Starts applications of others with Modelwire and with the LoopBack 3 that is installed in each, and compares every answer.
// After a build:
//   node conformance/dist/applications.js --apps apps.json [--only TEXT] [--report FILE] [--show 30] [--requests 4000]
//     [--minutes 5] [--originals] [--loopback-only]
// See conformance/README.md.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readApplications } from './applications/application.ts'
import { printReport, reportOf } from './applications/print-report.ts'
import { type Outcome, runApplication } from './applications/run-application.ts'
import { differs } from './applications/summarise.ts'

const { values: options } = parseArgs({
  options: {
    apps: { type: 'string' },
    only: { type: 'string', default: '' },
    report: { type: 'string' },
    show: { type: 'string', default: '30' },
    requests: { type: 'string', default: '4000' },
    minutes: { type: 'string', default: '5' },
    originals: { type: 'boolean', default: false },
    'loopback-only': { type: 'boolean', default: false }
  }
})
if (options.apps === undefined) throw new TypeError('--apps names the JSON file that lists the applications')

const outcomes: Outcome[] = []
for (const application of await readApplications(options.apps, options.only)) {
  const outcome = await runApplication(application, {
    bounds: { requests: Number(options.requests), milliseconds: Number(options.minutes) * 60_000 },
    originals: options.originals,
    onlyLoopback: options['loopback-only']
  })
  outcomes.push(outcome)
  if (options.report !== undefined) writeFileSync(options.report, JSON.stringify(reportOf(outcomes), null, 2))
  const { loopback, modelwire, exchanges } = outcome
  console.error(
    `${application.name}: ${loopback?.reason ?? 'LoopBack starts'}; ${modelwire?.reason ?? 'Modelwire starts'}; ${exchanges.length} answers`
  )
}
printReport(outcomes, Number(options.show))
const isAlike = ({ loopback, modelwire, exchanges }: Outcome): boolean =>
  loopback === undefined && modelwire === undefined && !exchanges.some(differs)
process.exitCode = outcomes.every(isAlike) ? 0 : 1
