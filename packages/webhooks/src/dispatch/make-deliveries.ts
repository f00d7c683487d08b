import { createHash } from 'node:crypto'
import { ApiError, type ModelRegistry } from '@modelwire/core'
import {
  isOfModel,
  type LoggedChange,
  Client,
  modelByType,
  eventOf,
  isAbout,
  streamRights
} from '@modelwire/core/plugin'
import {
  type Change,
  type ModelType,
  compileOptionalWhere,
  compileCondition,
  isComposite,
  keyTextOf
} from '@modelwire/core/connector'
import { unlessRefused } from '@modelwire/server'
import { kindNames } from '../endpoints/check-selection.ts'
import { makeMessageId } from '../delivery/attempt-delivery.ts'
import type { Endpoint } from '../models/read-endpoint.ts'

/** A changed record as its reader may see it. */
type ShownRecord = Readonly<Record<string, unknown>>

/** Returns the record of a change as a reader may see it; undefined if the reader may not, or does not want to. */
type View = (change: Change) => ShownRecord | undefined

/** The reader, and its selection. */
interface Reader {
  /** Undefined: application code, which may read everything. */
  readonly client: Client | undefined
  /** A `where` that is tested against the part of a record that the reader may see. */
  readonly condition: Readonly<Record<string, unknown>> | undefined
}

/** Properties that are shown in lists of their own records alone do not leave the server. */
const withoutProtected = ({ protected: names }: ModelType, record: ShownRecord): ShownRecord =>
  names.size === 0 ? record : Object.fromEntries(Object.entries(record).filter(([name]) => !names.has(name)))

/** The type of the messages about a change, such as `orderItem.created`. @see Standard Webhooks, event types */
const typeOfMessage = ({ name }: ModelType, kind: Change['kind']): string =>
  `${name.charAt(0).toLowerCase()}${name.slice(1)}.${kindNames[kind]}`

/** The contents of a message. */
interface Facts {
  readonly type: string
  readonly at: Date
  readonly data: ShownRecord
}

const write = ({ type, at, data }: Facts): string => JSON.stringify({ type, timestamp: at.toISOString(), data })

/** A delivery to be stored; its `sequence` is determined by its position. */
export interface NewDelivery {
  readonly id: string
  readonly endpointId: string
  readonly userId: string | number | undefined
  readonly type: string
  readonly payload: string
  readonly orderKey: string | undefined
}

/** The dependencies for creating deliveries. */
export interface DeliveryParts {
  readonly registry: ModelRegistry
  readonly maxPayload: number
  /** Called for an endpoint whose condition can no longer be tested, or whose user's rights cannot be determined. */
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
function orderKeyOf(endpoint: Endpoint, model: ModelType, change: Change): string | undefined {
  if (!endpoint.ordered) return undefined
  const [removed = {}] = change.removed ?? []
  const { id = isComposite(model) ? keyTextOf(model, removed) : removed[model.idProperty?.name ?? 'id'] } = change
  return createHash('sha256')
    .update(JSON.stringify([endpoint.id, model.name, String(id)]))
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
  /** Undefined if there were no changes. */
  readonly position: string | undefined
}

/** Characters of messages that are stored in one transaction, the last change's left out. */
const most = 8_000_000

/**
 * Creates the deliveries for changes of a log, in its order: what each endpoint may read, and wants. With many endpoints
 * one change causes many deliveries, so it may stop before the last change.
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

/** The user whom an endpoint belongs to, as a client; `gone` where the user does not exist any more. */
async function findClient(
  registry: ModelRegistry,
  { userId, userModel }: Endpoint
): Promise<Client | 'gone' | undefined> {
  if (userId === undefined) return undefined
  const users = userModel === undefined ? modelByType(registry, 'User') : registry.find(userModel)
  if (users === undefined && userModel !== undefined) return 'gone'
  if (users?.collection !== undefined && !(await registry.get(users.name).exists(userId))) return 'gone'
  return new Client({ userId, ...(userModel === undefined ? {} : { userModel }) }, undefined)
}

/**
 * The text of a message. Of a deletion, and where the record is longer than a message may be, it names the id alone.
 * @param maxPayload bytes
 * @see Standard Webhooks, payload structure
 */
function writePayload(
  model: ModelType,
  { kind, ...facts }: Facts & { readonly kind: Change['kind'] },
  maxPayload: number
): string {
  const names = model.idProperty === undefined ? ['id'] : model.keyNames
  const present = names.filter((name) => facts.data[name] !== undefined)
  const idAlone = Object.fromEntries(present.map((name) => [name, facts.data[name]]))
  if (kind === 'remove') return write({ ...facts, data: idAlone })
  const text = write(facts)
  return Buffer.byteLength(text) <= maxPayload ? text : write({ ...facts, data: idAlone })
}

/**
 * Makes the view of one reader on the changes of a model, as its rights are now: those of a change stream. Undefined where
 * the reader may see none of them.
 */
async function makeView(model: ModelType, { client, condition }: Reader): Promise<View | undefined> {
  const rights = await unlessRefused(async () => streamRights(model, { options: {}, client }), 'refused' as const)
  if (rights === 'refused') return undefined
  const told = rights?.get(model.name)
  const compiled = compileOptionalWhere(model, condition, { options: { prohibitHiddenPropertiesInQuery: true } })
  const matches = compiled && compileCondition(compiled).matches
  return (change) => {
    if (told !== undefined && !isAbout(eventOf(model, 0, change), told)) return undefined
    const { removed, ...others } = change
    const whole = eventOf(model, 0, { ...others, kind: 'create', after: change.after ?? removed?.[0] })
    const readable = told?.readable
    const { shownData = {} } = readable === undefined ? whole : whole.withinReadable(readable, undefined)
    const record = withoutProtected(model, shownData)
    return matches?.(record) === false ? undefined : record
  }
}
