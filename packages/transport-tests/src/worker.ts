// A process that hears of changes: started by `startWorker`, with what it works with in its environment.
import { createInterface } from 'node:readline'
import type { TransportSettings } from '@modelwire/changes'
import { countReads, connectors } from './test-databases.ts'
import { serveNotes } from './serve-notes.ts'

/** What a worker is told. */
export interface WorkerTask {
  readonly database: string
  readonly url: string
  readonly transport: TransportSettings
}

const say = (message: object): void => void process.stdout.write(`${JSON.stringify(message)}\n`)
const task = JSON.parse(process.env['MODELWIRE_TASK'] ?? '') as WorkerTask // as `startWorker` writes it
const connector = connectors[task.database]?.(task.url)
if (connector === undefined) throw new TypeError(`there is no database ${task.database}`)
const reads = countReads(connector)
const app = await serveNotes(connector, { transport: task.transport, onLine: (line) => process.stderr.write(line) })
const log = app.models.changeLogs.get('db')
await log?.heard()
app.models.changes.subscribe('Note', ({ kind, id, position, after }) =>
  say({ position, kind, id, number: after?.['number'] })
)
say({ isReady: true })
// It ends with the process that has started it.
createInterface({ input: process.stdin })
  .on('line', () => say({ reads: reads.count() }))
  .on('close', () => void app.close())
