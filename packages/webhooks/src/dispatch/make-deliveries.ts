import { createHash } from 'node:crypto'
import { ApiError, type ModelRegistry } from '@modelwire/core'
import { type Change, isOfModel, type LoggedChange, type ModelType } from '@modelwire/core/plugin'
import { kindNames } from '../endpoints/check-selection.ts'
import { makeMessageId } from '../delivery/make-message-id.ts'
import type { Endpoint } from '../models/read-endpoint.ts'
import { findClient } from './find-client.ts'
import { makeView, type View } from './make-view.ts'
import { typeOfMessage, writePayload } from './write-payload.ts'

/** A delivery that is to be stored; its `sequence` comes with its place. */
export interface NewDelivery {
  readonly id: string
  readonly endpointId: string
  readonly userId: string | number | undefined
  readonly type: string
  readonly payload: string
  readonly orderKey: string | undefined
}

/** What deliveries are made by. */
export interface DeliveryParts {
  readonly registry: ModelRegistry
  readonly maxPayload: number
  /** Called for an endpoint whose condition cannot be tested any more, or whose user's rights cannot be found out. */
  readonly onUnusable: (endpoint: Endpoint, model: ModelType, error: unknown) => void
}

/** One record of a change: a deletion may be of several. */
function changesOf(change: Change): readonly Change[] {
  const { removed = [] } = change
  return removed.length < 2 ? [change] : removed.map((row) => ({ ...change, removed: [row] }))
}

const wants = ({ models, kinds }: Endpoint, model: ModelType, { kind }: Change): boolean =>
  (models.length === 0 || models.some((name) => isOfModel(model, name))) &&
  (kinds.length === 0 || kinds.includes(kindNames[kind]))

/** Something does not answer, such as a database: it may go by. A rule that fails for one user does not say so by itself. */
function isOutage(error: unknown): boolean {
  if (error instanceof ApiError) return error.code === 'ROWS_FAILED' ? isOutage(error.cause) : error.statusCode >= 500
  return false
}

/** Finds the views of endpoints on models, each made once for a batch. */
function viewFinder({
  registry,
  onUnusable
}: DeliveryParts): (endpoint: Endpoint, model: ModelType) => Promise<View | undefined> {
  const views = new Map<string, Promise<View | undefined>>()
  const find = async (endpoint: Endpoint, model: ModelType): Promise<View | undefined> => {
    const client = await findClient(registry, endpoint)
    if (client === 'gone') return undefined
    try {
      return await makeView(model, { client, condition: endpoint.condition })
    } catch (error) {
      // It ends the round, which is tried again. What is wrong with one endpoint must not do so for all others.
      if (isOutage(error)) throw error
      onUnusable(endpoint, model, error)
      return undefined
    }
  }
  return async (endpoint, model) => {
    const key = JSON.stringify([endpoint.id, model.name])
    const view = views.get(key) ?? find(endpoint, model)
    views.set(key, view)
    return view
  }
}

/** What deliveries about one record have in common, where they are ordered. */
function orderKeyOf(endpoint: Endpoint, { name, idProperty }: ModelType, change: Change): string | undefined {
  if (!endpoint.ordered) return undefined
  const { id = change.removed?.[0]?.[idProperty?.name ?? 'id'] } = change
  return createHash('sha256')
    .update(JSON.stringify([endpoint.id, name, String(id)]))
    .digest('base64url')
}

/** The deliveries of one change for one endpoint. */
function deliveriesOf(
  { at, change }: LoggedChange,
  { endpoint, model, view }: { readonly endpoint: Endpoint; readonly model: ModelType; readonly view: View },
  maxPayload: number
): readonly NewDelivery[] {
  const { kind } = change
  const type = typeOfMessage(model, kind)
  return changesOf(change).flatMap((one) => {
    const data = view(one)
    if (data === undefined) return []
    const payload = writePayload(model, { kind, type, at, data }, maxPayload)
    const orderKey = orderKeyOf(endpoint, model, one)
    return [{ id: makeMessageId(), endpointId: endpoint.id, userId: endpoint.userId, type, payload, orderKey }]
  })
}

/** The deliveries of the changes up to a position. */
export interface MadeDeliveries {
  readonly deliveries: readonly NewDelivery[]
  /** Undefined where there were no changes. */
  readonly position: string | undefined
}

/** Characters of messages that are stored in one transaction, the last change's left out. */
const most = 8_000_000

/**
 * The deliveries that changes of a log lead to, in the order of the log: what each endpoint may read, and wants. Many endpoints make
 * much of one change, so that it may end before the last one.
 */
export async function makeDeliveries(
  changes: readonly LoggedChange[],
  endpoints: readonly Endpoint[],
  parts: DeliveryParts
): Promise<MadeDeliveries> {
  const { registry, maxPayload } = parts
  const viewOf = viewFinder(parts)
  const madeOf = async (logged: LoggedChange, endpoint: Endpoint): Promise<readonly NewDelivery[]> => {
    const model = registry.typeOf(logged.change.model)
    if (!wants(endpoint, model, logged.change)) return []
    const view = await viewOf(endpoint, model)
    return view === undefined ? [] : deliveriesOf(logged, { endpoint, model, view }, maxPayload)
  }
  const deliveries: NewDelivery[] = []
  let size = 0
  let position: string | undefined
  for (const logged of changes) {
    const made = (await Promise.all(endpoints.map(async (endpoint) => madeOf(logged, endpoint)))).flat()
    deliveries.push(...made)
    position = logged.position
    size += made.reduce((sum, { payload }) => sum + payload.length, 0)
    if (size > most) break
  }
  return { deliveries, position }
}
