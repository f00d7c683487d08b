import type { ModelRegistry } from '@modelwire/core'
import type { ChangeLog, LoggedChange } from '@modelwire/core/plugin'
import { LogPositionUnknown } from '@modelwire/core/connector'
import type { FastifyBaseLogger } from 'fastify'
import { cursorModelName, deliveryModelName, endpointModelName } from '../models/definitions.ts'
import { type Endpoint, readEndpoint } from '../models/read-endpoint.ts'
import type { WebhooksSettings } from '../options.ts'
import { type Loop, startLoop } from '../start-loop.ts'
import { type Cursor, type CursorHold, holdCursor } from './cursor.ts'
import { makeDeliveries, type NewDelivery } from './make-deliveries.ts'

/** The dependencies of a dispatcher. */
export interface DispatcherParts {
  readonly registry: ModelRegistry
  readonly settings: Pick<WebhooksSettings, 'batchSize' | 'endpointsPerUser' | 'interval' | 'lease' | 'maxPayload'>
  readonly log: FastifyBaseLogger
  /** Unique to this process. */
  readonly holder: string
  /** Called when there are new deliveries. */
  readonly onDeliveries: () => void
}

/** Rows of one statement. */
const chunk = 200

async function store(registry: ModelRegistry, deliveries: readonly NewDelivery[], from: Cursor): Promise<void> {
  const now = new Date()
  const rows = deliveries.map((delivery, at) => ({
    ...delivery,
    sequence: from.count + at,
    state: 'pending',
    nextAttemptAt: now
  }))
  for (let at = 0; at < rows.length; at += chunk)
    await registry.get(deliveryModelName).create(rows.slice(at, at + chunk))
}

/** Another process has taken the lease meanwhile: nothing of the transaction is kept. */
class CursorMoved extends Error {}

/** Stores deliveries and moves the cursor, both or neither. */
async function commit(
  registry: ModelRegistry,
  { move }: CursorHold,
  { from, to, deliveries }: { from: Cursor; to: Cursor; deliveries: readonly NewDelivery[] }
): Promise<boolean> {
  const dataSource = registry.typeOf(cursorModelName).dataSource?.name
  const work = async (): Promise<void> => {
    if (!(await move(from, to))) throw new CursorMoved()
    await store(registry, deliveries, from)
  }
  try {
    await registry.transaction(work, { dataSource })
    return true
  } catch (error) {
    if (error instanceof CursorMoved) return false
    throw error
  }
}

/** The next changes; where those behind the cursor were purged, the log is read from its end. */
async function readNext(
  changes: ChangeLog,
  { position }: Cursor,
  { settings, log }: DispatcherParts
): Promise<readonly LoggedChange[] | string> {
  try {
    return await changes.read(position, settings.batchSize)
  } catch (error) {
    if (!(error instanceof LogPositionUnknown)) throw error
    log.error({ err: error }, 'webhooks: changes were purged from the log before they were read: they are not sent')
    return changes.latest()
  }
}

type Limit = (endpoints: readonly Endpoint[]) => readonly Endpoint[]

/**
 * Makes the function that leaves out what a user has beyond the limit: creations at the same time do not see each other, and code of the
 * application is not held to it. It warns of each user once.
 */
function limitPerUser({ settings, log }: Pick<DispatcherParts, 'settings' | 'log'>): Limit {
  const warned = new Set<string>()
  const most = settings.endpointsPerUser
  return (endpoints) => {
    const counts = new Map<string, number>()
    return endpoints.filter(({ userId, userModel }) => {
      if (userId === undefined) return true
      const user = JSON.stringify([userModel, userId])
      const count = (counts.get(user) ?? 0) + 1
      counts.set(user, count)
      if (count > most && !warned.has(user)) {
        warned.add(user)
        log.warn({ userId, userModel }, `webhooks: a user has more than ${most} endpoints: the others receive nothing`)
      }
      return count <= most
    })
  }
}

async function enabledEndpoints({ registry }: DispatcherParts, limit: Limit): Promise<readonly Endpoint[]> {
  const found = await registry.get(endpointModelName).find({ where: { enabled: true }, order: 'id ASC' })
  return limit(found.map(readEndpoint))
}

/** Makes deliveries of changes, and goes on behind them. */
async function take(
  next: readonly LoggedChange[],
  from: Cursor,
  hold: CursorHold,
  { limit, ...parts }: DispatcherParts & { readonly limit: Limit }
): Promise<void> {
  const { registry, settings, log, onDeliveries } = parts
  const { deliveries, position } = await makeDeliveries(next, await enabledEndpoints(parts, limit), {
    registry,
    maxPayload: settings.maxPayload,
    onUnusable: ({ id }, { name }, error) =>
      log.warn({ err: error, endpoint: id, model: name }, 'webhooks: cannot determine what an endpoint may receive')
  })
  const to = { position: position ?? from.position, count: from.count + deliveries.length }
  if (await commit(registry, hold, { from, to, deliveries })) onDeliveries()
}

/** Reads a part of the log, and makes deliveries of it; true where there is more. */
async function dispatch(
  changes: ChangeLog,
  hold: CursorHold,
  parts: DispatcherParts & { readonly limit: Limit }
): Promise<boolean> {
  const from = await hold.take()
  if (from === undefined) return false
  const next = await readNext(changes, from, parts)
  if (typeof next === 'string')
    return commit(parts.registry, hold, { from, to: { ...from, position: next }, deliveries: [] })
  if (next.length > 0) await take(next, from, hold, parts)
  return next.length > 0
}

/** Reads the log of a data source while this process holds its lease, and waits for the lease otherwise. */
export function startDispatcher(source: string, changes: ChangeLog, parts: DispatcherParts): Loop {
  const { registry, settings, log, holder } = parts
  const { lease, interval } = settings
  const limited = { ...parts, limit: limitPerUser(parts) }
  const facts = { dataSource: source }
  const hold = holdCursor(registry, { source, holder, lease, begin: async () => changes.latest() })
  const loop = startLoop(async () => dispatch(changes, hold, limited), {
    interval: Math.min(interval, lease / 3),
    onError: (error) => log.error({ err: error, ...facts }, 'webhooks: the change log cannot be read'),
    onRecovered: () => log.info(facts, 'webhooks: the change log can be read again')
  })
  const leave = changes.wake(loop.wake)
  return {
    wake: loop.wake,
    stop: async () => {
      leave()
      await loop.stop()
      try {
        await hold.release()
      } catch (error) {
        log.warn({ err: error, ...facts }, 'webhooks: the lease could not be released: it remains until it expires')
      }
    }
  }
}
