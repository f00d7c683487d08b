import type { ModelRegistry } from '@modelwire/core'
import { type Change, isOfModel, type LoggedChange, type ModelType } from '@modelwire/core/plugin'
import { kindNames } from '../endpoints/check-selection.ts'
import type { Endpoint } from '../models/read-endpoint.ts'
import { findClient } from './find-client.ts'
import { makeView, type View } from './make-view.ts'
import { messageId } from './message-id.ts'
import { typeOfMessage, writePayload } from './write-payload.ts'

/** A delivery that is to be stored; its `sequence` comes with its place. */
export interface NewDelivery {
  readonly id: string
  readonly endpointId: string
  readonly userId: string | number | undefined
  readonly type: string
  readonly payload: string
}

/** What deliveries are made by. */
export interface DeliveryParts {
  readonly registry: ModelRegistry
  readonly maxPayload: number
  /** Called for an endpoint whose condition cannot be tested any more. */
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

/** The deliveries that changes of a log lead to, in the order of the log: what each endpoint may read, and wants. */
export async function makeDeliveries(
  source: string,
  changes: readonly LoggedChange[],
  endpoints: readonly Endpoint[],
  parts: DeliveryParts
): Promise<readonly NewDelivery[]> {
  const viewOf = viewFinder(parts)
  const deliveries: NewDelivery[] = []
  for (const { position, at, change } of changes) {
    const model = parts.registry.typeOf(change.model)
    for (const endpoint of endpoints.filter((each) => wants(each, model, change))) {
      const view = await viewOf(endpoint, model)
      for (const [index, one] of changesOf(change).entries()) {
        const data = view?.(one)
        if (data === undefined) continue
        const type = typeOfMessage(model, change.kind)
        deliveries.push({
          id: messageId(endpoint.id, source, position, index),
          endpointId: endpoint.id,
          userId: endpoint.userId,
          type,
          payload: writePayload(model, { kind: change.kind, type, at, data }, parts.maxPayload)
        })
      }
    }
  }
  return deliveries
}
