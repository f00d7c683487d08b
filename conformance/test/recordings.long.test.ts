import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import t from 'tap'
import { replay, type StartApp } from '#src/replay.ts'
import type { Scenario } from '#src/scenario.ts'

// Dates without a zone were recorded in UTC.
process.env['TZ'] = 'UTC'

const root = fileURLToPath(new URL('..', import.meta.url))
const scenarios = join(root, 'recordings', 'scenarios')
const loaded = (await import(pathToFileURL(join(root, 'adapter.mjs')).href)) as { default: StartApp }

const json = (area: string): string[] =>
  readdirSync(join(scenarios, area))
    .filter((file) => file.endsWith('.json'))
    .sort()

for (const area of readdirSync(scenarios).sort()) {
  for (const file of json(area)) {
    void t.test(`answers as recorded: ${area}/${file.replace('.json', '')}`, async (t) => {
      const scenario = JSON.parse(readFileSync(join(scenarios, area, file), 'utf8')) as Scenario
      for (const { step, why } of await replay(scenario, join(root, 'recordings', 'apps'), loaded.default))
        t.fail(`${step}: ${why}`)
      t.pass(`${scenario.steps.length} steps`)
    })
  }
}
