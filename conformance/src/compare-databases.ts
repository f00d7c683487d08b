// Replays the recordings on a database, and says how many steps differ from memory's and why. After a build:
//   node conformance/dist/compare-databases.js --connector postgresql|mysql|sqlite|mongodb [--area relations]... [--list CAUSE]...
// Without --area, all of them; --list shows the steps of a cause, as those without one are always shown.
import { parseArgs } from 'node:util'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { explainFailures } from './explain-difference.ts'
import type { Failure, StartApp } from './replay.ts'
import { replayFolder, type ScenarioResult } from './replay-folder.ts'

const { values: options } = parseArgs({
  options: {
    connector: { type: 'string', default: 'memory' },
    area: { type: 'string', multiple: true, default: [] },
    list: { type: 'string', multiple: true, default: [] },
    beside: { type: 'string', default: '2' }
  }
})
if (!['memory', 'postgresql', 'mysql', 'sqlite', 'mongodb'].includes(options.connector))
  throw new RangeError(`--connector ${options.connector}: not one of memory, postgresql, mysql, sqlite, mongodb`)
// Dates without a zone were recorded in UTC.
process.env['TZ'] = 'UTC'
process.env['MODELWIRE_CONNECTOR'] = options.connector

const unexplained = 'unexplained'
const all = 'all areas'
const root = join(import.meta.dirname, '..')
const { default: start } = (await import(pathToFileURL(join(root, 'adapter.mjs')).href)) as { default: StartApp } // its form

const counts = new Map<string, Map<string, number>>()
const listed: string[] = []

/** Counts for an area, and for all of them. */
function count(area: string, cause: string, steps = 1): void {
  if (area !== all) count(all, cause, steps)
  const ofArea = counts.get(area) ?? new Map<string, number>()
  ofArea.set(cause, (ofArea.get(cause) ?? 0) + steps)
  counts.set(area, ofArea)
}

function describe(file: string, { step, why, exchange }: Failure, cause: string): string {
  const { method = 'GET', path = '' } = exchange?.request ?? {}
  return `${cause}: ${file}: ${step}\n  ${method} ${path}\n  ${why}`
}

function add({ area, file, steps, failures }: ScenarioResult): void {
  count(area, 'steps', steps)
  for (const [at, cause = unexplained] of explainFailures(failures).entries()) {
    const failure = failures[at]
    count(area, cause)
    if (failure !== undefined && [unexplained, ...options.list].includes(cause))
      listed.push(describe(file, failure, cause))
  }
}

const beside = Number(options.beside)
for (const result of await replayFolder({ recordings: join(root, 'recordings'), start, areas: options.area, beside }))
  add(result)

for (const text of listed) console.log(text)
for (const [area, { steps = 0, ...causes }] of [...counts].map(
  ([name, map]) => [name, Object.fromEntries(map)] as const
)) {
  const differing = Object.values(causes).reduce((sum, number) => sum + number, 0)
  const reasons = Object.entries(causes).map(([cause, number]) => `${number} ${cause}`)
  console.log(
    `${area}: ${steps - differing} of ${steps} steps are equal, ${differing} differ${differing > 0 ? `: ${reasons.join(', ')}` : ''}`
  )
}
process.exitCode = listed.some((text) => text.startsWith(unexplained)) ? 1 : 0
