import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { type Application, runFolder } from './application.ts'
import { type Bounds, converse } from './converse.ts'
import type { Description } from './description.ts'
import { type Exchange, openSession } from './exchange.ts'
import { prepareFolder } from './prepare-folder.ts'
import { type FailedStart, type RunningServer, startServer } from './server-process.ts'

/** What one run of one application showed. */
export interface Outcome {
  readonly application: Application
  /** Both run. */
  readonly isCompared: boolean
  /** Why a side does not start; undefined where it does. */
  readonly loopback: FailedStart | undefined
  readonly modelwire: FailedStart | undefined
  readonly description: Description | undefined
  readonly exchanges: readonly Exchange[]
}

/** How applications are run. */
export interface RunOptions {
  readonly bounds: Bounds
  /** Leaves LoopBack's own packages in place for Modelwire. */
  readonly originals: boolean
  /** Starts LoopBack alone. */
  readonly onlyLoopback: boolean
}

const isRunning = (one: RunningServer | FailedStart): one is RunningServer => 'url' in one
const failureOf = (one: RunningServer | FailedStart | undefined): FailedStart | undefined =>
  one === undefined || isRunning(one) ? undefined : one

async function startLoopback(application: Application, file: string): Promise<RunningServer | FailedStart> {
  await rm(file, { force: true })
  return startServer({
    application,
    side: 'loopback',
    folder: await prepareFolder(application, 'loopback', true),
    isReady: () => existsSync(file),
    environment: { CONFORMANCE_DESCRIPTION: file }
  })
}

async function startModelwire(application: Application, originals: boolean): Promise<RunningServer | FailedStart> {
  const folder = await prepareFolder(application, 'modelwire', originals)
  return startServer({ application, side: 'modelwire', folder, isReady: () => true, environment: {} })
}

async function exchange(
  application: Application,
  description: Description,
  servers: { readonly loopback: RunningServer; readonly modelwire: RunningServer | undefined },
  bounds: Bounds
): Promise<readonly Exchange[]> {
  const root = application.apiRoot ?? description.root
  const roots = {
    loopback: servers.loopback.url + root,
    modelwire: servers.modelwire === undefined ? undefined : servers.modelwire.url + root
  }
  const session = openSession(description, roots, application.credentials)
  await converse(session, application, description, bounds)
  return session.exchanges
}

/** Starts an application with both frameworks, sends them the same requests and ends both. */
export async function runApplication(
  application: Application,
  { bounds, originals, onlyLoopback }: RunOptions
): Promise<Outcome> {
  const file = `${runFolder(application, 'loopback')}.json`
  const loopback = await startLoopback(application, file)
  const modelwire = onlyLoopback ? undefined : await startModelwire(application, originals)
  try {
    const description = isRunning(loopback)
      ? (JSON.parse(readFileSync(file, 'utf8')) as Description) // describe-loopback.ts wrote it
      : undefined
    const exchanges =
      isRunning(loopback) && description !== undefined
        ? await exchange(
            application,
            description,
            { loopback, modelwire: modelwire !== undefined && isRunning(modelwire) ? modelwire : undefined },
            bounds
          )
        : []
    const isCompared = isRunning(loopback) && modelwire !== undefined && isRunning(modelwire)
    return {
      application,
      isCompared,
      loopback: failureOf(loopback),
      modelwire: failureOf(modelwire),
      description,
      exchanges
    }
  } finally {
    const running = [loopback, modelwire].filter((one) => one !== undefined)
    await Promise.all(running.filter(isRunning).map((one) => one.stop()))
  }
}
