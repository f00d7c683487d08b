// Replays the recordings on MongoDB with LoopBack and its own connector, and with Modelwire, and says how many steps of each are as
// recorded on memory, and where the two differ. After a build:
//   node conformance/dist/compare-mongodb.js --loopback ../loopback [--ids objectid|counting] [--area relations]... [--list CAUSE]...
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { replayBoth } from './mongodb/replay-both.ts'
import { LoopbackProcesses } from './mongodb/start-loopback.ts'
import { summariseAreas, unexplained } from './mongodb/summarise-areas.ts'
import { forEachFile, listScenarios, readScenario } from './replay-folder.ts'

const { values: options } = parseArgs({
  options: {
    loopback: { type: 'string', default: '.' },
    ids: { type: 'string', default: 'objectid' },
    area: { type: 'string', multiple: true, default: [] },
    list: { type: 'string', multiple: true, default: [] },
    report: { type: 'string' },
    beside: { type: 'string', default: '2' }
  }
})
if (options.ids !== 'counting' && options.ids !== 'objectid')
  throw new RangeError(`--ids ${options.ids}: not one of counting, objectid`)
const ids: 'counting' | 'objectid' = options.ids
// Dates without a zone were recorded in UTC.
process.env['TZ'] = 'UTC'

const recordings = join(import.meta.dirname, '..', 'recordings')
const processes = new LoopbackProcesses(options.loopback, ids)
// The answers of LoopBack 2 are another framework's.
const isOfLoopback3 = async (file: string): Promise<boolean> => (await readScenario(recordings, file)).version !== 2
const files = await listScenarios(recordings, options.area)
const results = await forEachFile(files, Number(options.beside), async (file) =>
  (await isOfLoopback3(file)) ? replayBoth(file, { recordings, processes, ids }) : undefined
)
processes.close()
const replayed = results.filter((both) => both !== undefined)
if (options.report !== undefined) await writeFile(options.report, JSON.stringify(replayed))

const lines = summariseAreas(replayed, options.list)
for (const line of lines) console.log(line)
process.exitCode = lines.some((line) => line.startsWith(unexplained)) ? 1 : 0
