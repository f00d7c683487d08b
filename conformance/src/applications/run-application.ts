import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { allowDifferences, jsonFiles, readRules } from './allow-differences.ts'
import { type Application, type Credentials, runFolder } from './application.ts'
import { type Bounds, converse } from './converse.ts'
import type { Description } from './description.ts'
import { type Exchange, openSession } from './exchange.ts'
import { makeRecord } from './make-record.ts'
import { prepareFolder } from './prepare-folder.ts'
import { accountModel } from './seed-records.ts'
import { isSilence } from './request.ts'
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
  /** The owner could sign in. */
  readonly isSignedIn: boolean
  /** Methods that LoopBack cannot do here, with what it said; the last run left them out. */
  readonly broken: Readonly<Record<string, string>>
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
): Promise<Pick<Outcome, 'exchanges' | 'isSignedIn'>> {
  const root = application.apiRoot ?? description.root
  const roots = {
    loopback: servers.loopback.url + root,
    modelwire: servers.modelwire === undefined ? undefined : servers.modelwire.url + root
  }
  const session = openSession(description, roots, application)
  const { isSignedIn } = await converse(session, application, description, bounds)
  const judged = { rules: await readRules(), files: await jsonFiles(runFolder(application, 'loopback')) }
  return { exchanges: allowDifferences(session.exchanges, description, judged), isSignedIn }
}

const settling = 2000

async function runOnce(
  application: Application,
  { bounds, originals, onlyLoopback }: RunOptions
): Promise<Omit<Outcome, 'broken'>> {
  const file = `${runFolder(application, 'loopback')}.json`
  const loopback = await startLoopback(application, file)
  const modelwire = onlyLoopback ? undefined : await startModelwire(application, originals)
  // What the application's own scripts begin and do not wait for.
  await sleep(settling)
  try {
    const description = isRunning(loopback)
      ? (JSON.parse(readFileSync(file, 'utf8')) as Description) // describe-loopback.ts wrote it
      : undefined
    const exchanged =
      isRunning(loopback) && description !== undefined
        ? await exchange(
            application,
            description,
            { loopback, modelwire: modelwire !== undefined && isRunning(modelwire) ? modelwire : undefined },
            bounds
          )
        : { exchanges: [], isSignedIn: false }
    const isCompared = isRunning(loopback) && modelwire !== undefined && isRunning(modelwire)
    return {
      application,
      isCompared,
      loopback: failureOf(loopback),
      modelwire: failureOf(modelwire),
      description,
      ...exchanged
    }
  } finally {
    const running = [loopback, modelwire].filter((one) => one !== undefined)
    await Promise.all(running.filter(isRunning).map((one) => one.stop()))
  }
}

const mostRuns = 5

/** Methods whose request ended LoopBack's process, and writes that it failed and Modelwire did: records differ from there on. */
function brokenIn(exchanges: readonly Exchange[]): Readonly<Record<string, string>> {
  const ending = exchanges.find(({ loopback }) => loopback.status === 0 && !isSilence(loopback))
  const failing = exchanges.filter(
    ({ loopback, modelwire, request }) => loopback.status >= 500 && isDone(modelwire.status) && isWrite(request)
  )
  return {
    ...Object.fromEntries(failing.map((one) => [one.request.operation.method, reasonIn(one.loopback.body)])),
    ...(ending !== undefined && { [ending.request.operation.method]: 'its process ends' })
  }
}

const isDone = (status: number): boolean => status >= 200 && status < 300

const isWrite = ({ operation }: Exchange['request']): boolean => !['get', 'head'].includes(operation.verb)

const reasonIn = (body: string): string => /"message":"([^"]*)/.exec(body)?.[1] ?? 'it answers 500'

/** What accounts of a model need beside an address, a name and a password. */
function accountValues(model: string, description: Description): Record<string, unknown> {
  let count = 0
  const material = { description, records: new Map(), owner: undefined, values: {}, next: () => (count += 1) }
  const own = new Set(['email', 'username', 'password', description.models[model]?.idName ?? 'id'])
  return Object.fromEntries(Object.entries(makeRecord(model, material)).filter(([name]) => !own.has(name)))
}

/** Accounts that a boot script makes, where the application has accounts but nobody can sign up and in; undefined elsewhere. */
function seededAccounts({ credentials }: Application, { description, isSignedIn }: Outcome): Credentials | undefined {
  const model = description && accountModel(credentials, description)
  if (
    isSignedIn ||
    description === undefined ||
    model === undefined ||
    credentials.seed !== undefined ||
    credentials.headers !== undefined
  )
    return undefined
  return {
    ...credentials,
    model,
    seed: 'boot',
    account: { ...accountValues(model, description), ...credentials.account }
  }
}

/**
 * Starts an application with both frameworks, sends them the same requests and ends both. Where nobody can sign up and in,
 * everything is done once more with accounts that a boot script makes; where LoopBack fails a write that Modelwire does, or ends,
 * without that method.
 */
export async function runApplication(listed: Application, options: RunOptions): Promise<Outcome> {
  let application = listed
  let broken: Readonly<Record<string, string>> = {}
  for (let runs = 1; ; runs += 1) {
    const once = await runOnce({ ...application, skip: { ...application.skip, ...broken } }, options)
    const outcome = { ...once, application, broken }
    const found = brokenIn(outcome.exchanges)
    const credentials = seededAccounts(application, outcome)
    if ((Object.keys(found).length === 0 && credentials === undefined) || runs === mostRuns) return outcome
    broken = { ...broken, ...found }
    application = { ...application, credentials: credentials ?? application.credentials }
  }
}
