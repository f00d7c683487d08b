import type { ModelRegistry } from '@modelwire/core'
import { allInOrder, checkOptions, fillDefaults, InvalidOption } from '@modelwire/server'
import type { FastifyInstance } from 'fastify'
import type { ChangeTransport } from './transport/change-transport.ts'
import { sourceThrough } from './transport/through-transport.ts'
import { type FollowedLog, makeChangeLog } from './make-change-log.ts'
import { type ChangesOptions, ChangesOptionsSchema, type ChangesSettings } from './options.ts'

/** The change logs of an application: `start` once its data sources are open, `stop` before they are closed. */
export interface InstalledChanges {
  /** Resolves once changes are followed, or cannot be for now. */
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** The log for problems with change logs. */
type Log = Pick<FastifyInstance['log'], 'info' | 'warn' | 'error'>

/** The data sources with models that log their changes. */
function makeLogs(registry: ModelRegistry, { pollInterval, transport }: ChangesSettings, log: Log): FollowedLog[] {
  const models = registry.names().map((name) => registry.typeOf(name))
  return [...registry.dataSources.values()].flatMap((dataSource) => {
    const { name, connector } = dataSource
    const own = models.filter((model) => model.logsChanges && model.dataSource === dataSource)
    if (own.length === 0) return []
    const warn = (): void =>
      log.warn(
        { dataSource: name },
        'the data source keeps no change log: only changes made by this process are reported'
      )
    if (connector.changeLog === undefined) {
      warn()
      return []
    }
    const onState = (err: unknown): void =>
      err === undefined
        ? log.info({ dataSource: name }, 'the change log can be read again')
        : log.error({ err, dataSource: name }, 'the change log cannot be read: changes are not reported')
    const onAbsent = (): void => {
      registry.changeLogs.delete(name)
      warn()
    }
    const source = connector.changeLog(own)
    const shared = { models: own, pollInterval: pollInterval * 1000 }
    const from = sourceThrough(transport, { ...shared, source, dataSource: name }, log)
    const { check } = from
    // Without its stream a process reads the log of the database: no request fails.
    if (check !== undefined) registry.addHealthCheck({ kind: 'changeTransports', name, check })
    const made = makeChangeLog({ ...shared, registry, source, from, onState, onAbsent })
    registry.changeLogs.set(name, made)
    return [made]
  })
}

/** Milliseconds that an application waits for its databases before it is ready. */
const longestWait = 3000

/** Waits for some work, but not for a database that does not answer. */
async function atMost(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, longestWait)))
  await Promise.race([work, late])
  clearTimeout(timer)
}

/** Those whose logs are read. */
const readers = new WeakSet<ModelRegistry>()

/** @throws {InvalidOption} it is something else, such as settings of which nothing made one */
function checkTransport(transport: Partial<ChangeTransport> | undefined): void {
  if (transport === undefined || typeof transport.open === 'function') return
  throw new InvalidOption(
    'the option "transport" of changes must be a change transport: use redisStreams(), natsJetStream() or makeTransport()',
    { key: 'transport' }
  )
}

/**
 * Lets all processes receive the changes of models that log them. Call it before routes are mounted.
 * @throws {InvalidOption} an option is unknown or malformed, or the logs are read already
 */
export function installChanges(registry: ModelRegistry, rawOptions: ChangesOptions, log: Log): InstalledChanges {
  const settings = fillDefaults(ChangesOptionsSchema, checkOptions('changes', ChangesOptionsSchema, rawOptions))
  checkTransport(settings.transport)
  if (readers.has(registry)) throw new InvalidOption('changes is already registered', { key: 'changes' })
  readers.add(registry)
  registry.readsChangeLogs = true
  let logs: FollowedLog[] | undefined
  const make = (): FollowedLog[] => (logs ??= makeLogs(registry, settings, log))
  const purge = async (): Promise<void> => {
    const before = new Date(Date.now() - settings.retention * 1000)
    await allInOrder((logs ?? []).map(({ source }) => source.purge(before)))
  }
  registry.addPurge({ name: 'change logs', run: purge })
  registry.beforeSeal(() => void make())
  return {
    start: async () => atMost(Promise.all(make().map((each) => each.start()))),
    stop: async () => {
      await Promise.all((logs ?? []).map((each) => each.stop()))
    }
  }
}
