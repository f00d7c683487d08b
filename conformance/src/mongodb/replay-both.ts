import { createTestDatabase } from '@modelwire/connector-tests/mongodb'
import type { IdTranslation, StartApp } from '../replay.ts'
import { replayFile, type ScenarioResult } from '../replay-folder.ts'
import { translateIds } from './object-ids.ts'
import type { LoopbackProcesses } from './start-loopback.ts'
import { startModelwire } from './start-modelwire.ts'
import { useMongodb } from './use-mongodb.ts'

/** How a scenario is replayed. */
export interface BothOptions {
  readonly recordings: string
  readonly processes: LoopbackProcesses
  readonly ids: 'counting' | 'objectid'
}

/** What a scenario's replays told. */
export interface Both {
  readonly loopback: ScenarioResult
  readonly modelwire: ScenarioResult
}

/** Starts an application folder on a database of its own. */
const onMongodb =
  (start: StartApp): StartApp =>
  async (app) => {
    const { url, drop } = await createTestDatabase()
    await useMongodb(app.appDir, url)
    try {
      const running = await start(app)
      const close = async (): Promise<void> => {
        await running.close()
        await drop()
      }
      return { ...running, close }
    } catch (error) {
      await drop()
      throw error
    }
  }

const endedEarly = ({ failures }: ScenarioResult): boolean =>
  failures.some(({ at, exchange }) => at === undefined || exchange?.seen.status === 0)

/**
 * Replays one scenario on MongoDB with LoopBack and with Modelwire. Where ids are ObjectIds, those of the recording are translated
 * for both at the places where LoopBack has them.
 */
export async function replayBoth(file: string, { recordings, processes, ids }: BothOptions): Promise<Both> {
  let translation: { ids?: IdTranslation } = {}
  const startLoopback = onMongodb(async (app) => {
    const running = await processes.start(app)
    if (ids === 'objectid') translation = { ids: translateIds(running.places) }
    return { ...running, ...translation }
  })
  const first = await replayFile(file, { recordings, start: startLoopback })
  // What the application before left undone may end the process: the scenario itself does so twice.
  const loopback = endedEarly(first) ? await replayFile(file, { recordings, start: startLoopback }) : first
  const start = onMongodb(async (app) => ({ ...(await startModelwire({ ...app, ids })), ...translation }))
  return { loopback, modelwire: await replayFile(file, { recordings, start }) }
}
