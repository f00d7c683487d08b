// Replays the recordings on MongoDB with LoopBack and its own connector, and with Modelwire, and says how many steps of each are as
// recorded on memory, and where the two differ. After a build:
//   node conformance/dist/compare-mongodb.js --loopback ../loopback [--ids counting|objectid] [--area relations]... [--list]
import { join } from 'node:path'
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { createTestDatabase } from '@modelwire/connector-tests/mongodb'
import { LoopbackProcesses } from './mongodb/start-loopback.ts'
import { startModelwire } from './mongodb/start-modelwire.ts'
import { translateIds } from './mongodb/object-ids.ts'
import { useMongodb } from './mongodb/use-mongodb.ts'
import type { IdTranslation, StartApp } from './replay.ts'
import { forEachFile, listScenarios, readScenario, replayFile, type ScenarioResult } from './replay-folder.ts'

const { values: options } = parseArgs({
  options: {
    loopback: { type: 'string', default: '.' },
    ids: { type: 'string', default: 'objectid' },
    area: { type: 'string', multiple: true, default: [] },
    beside: { type: 'string', default: '2' },
    report: { type: 'string' },
    memory: { type: 'boolean', default: false }
  }
})
if (options.ids !== 'counting' && options.ids !== 'objectid')
  throw new RangeError(`--ids ${options.ids}: not one of counting, objectid`)
const ids: 'counting' | 'objectid' = options.ids
process.env['TZ'] = 'UTC'
const recordings = join(import.meta.dirname, '..', 'recordings')

const processes = new LoopbackProcesses(options.loopback, ids)

async function replayBoth(file: string): Promise<{ loopback: ScenarioResult; modelwire: ScenarioResult }> {
  let translation: IdTranslation | undefined
  const onMongodb =
    (start: StartApp): StartApp =>
    async (app) => {
      const { url, drop } = await createTestDatabase()
      if (!options.memory) await useMongodb(app.appDir, url)
      try {
        const running = await start(app)
        const close = async (): Promise<void> => {
          await running.close()
          await drop()
        }
        return { ...running, close, ...(translation && { ids: translation }) }
      } catch (error) {
        await drop()
        throw error
      }
    }
  const loopback = await replayFile(file, {
    recordings,
    start: onMongodb(async (app) => {
      const running = await processes.start(app)
      if (ids === 'objectid' && !options.memory) translation = translateIds(running.places)
      return running
    })
  })
  const modelwire = await replayFile(file, { recordings, start: onMongodb((app) => startModelwire({ ...app, ids })) })
  return { loopback, modelwire }
}

const files = await listScenarios(recordings, options.area)
const results = await forEachFile(files, Number(options.beside), async (file) => {
  const { version } = await readScenario(recordings, file)
  return version === 2 ? undefined : replayBoth(file)
})
processes.close()
await writeFile(options.report ?? 'report.json', JSON.stringify(results.filter(Boolean), null, 1))
const areas = new Map<string, number[]>()
for (const both of results) {
  if (both === undefined) continue
  const sums = areas.get(both.loopback.area) ?? [0, 0, 0]
  areas.set(both.loopback.area, sums)
  sums[0]! += both.loopback.steps
  sums[1]! += both.loopback.failures.length
  sums[2]! += both.modelwire.failures.length
}
for (const [area, sums] of areas) console.log(area, ...sums)
