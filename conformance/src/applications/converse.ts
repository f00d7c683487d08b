import type { Application } from './application.ts'
import type { Description, Operation } from './description.ts'
import type { Exchange, Session } from './exchange.ts'
import { makeArguments } from './make-arguments.ts'
import type { Material } from './make-record.ts'
import { nameOf, relationsOf, targetOf } from './operation-name.ts'
import { type Group, planTurns, shareRoom, type Turn, turnsOf } from './plan-turns.ts'
import { forget, refresh, remember } from './records.ts'
import { makeAccounts, seedRecords } from './seed-records.ts'
import { valueFor } from './pair.ts'

/** Change streams never end; `verify` ends LoopBack's process where no mail is set up. */
const neverCalled = /\.createChangeStream$|\.prototype\.__createChangeStream__|\.prototype\.verify$/

function isCalled({ skip }: Application, { method }: Operation): boolean {
  return !neverCalled.test(method) && !Object.keys(skip).some((beginning) => method.startsWith(beginning))
}

/** Bounds of one application. */
export interface Bounds {
  readonly requests: number
  readonly milliseconds: number
}

const isDone = ({ loopback: { status } }: Exchange): boolean => status >= 200 && status < 300

/** Keeps what is known of records in line with what LoopBack did. */
function learn({ records, description }: Material, { request, loopback, modelwire }: Exchange): void {
  const name = nameOf(request.operation)
  const path = relationsOf(description, name)
  const model = targetOf(description, name) ?? name.model
  const idName = description.models[model]?.idName ?? 'id'
  const relation = path.length === 1 ? `${name.model}.${path[0]?.name ?? ''}` : ''
  const body = { loopback: loopback.body, modelwire: modelwire.body }
  const id = valueFor('loopback', request.path[name.relation === undefined ? 'id' : 'fk'])
  if (/^(?:delete|destroy)ById$|^__destroyById__$/.test(name.verb))
    forget(records, [...records.keys()].filter(belongsTo(model, description)), id)
  else if (name.verb === '__unlink__') forget(records, [relation], id)
  else if (/^(?:patchAttributes|replaceById|__updateById__)$/.test(name.verb))
    refresh(records, model, idName, loopback.body)
  else if (/^create$/.test(name.verb)) remember(records, model, idName, body)
  else if (name.verb === '__create__') remember(records, relation, idName, body)
}

/** Keys of known records that are of a model: its own, and those of relations to it. */
const belongsTo =
  (model: string, { models }: Description) =>
  (key: string): boolean => {
    const [owner = '', relation] = key.split('.')
    return relation === undefined ? owner === model : models[owner]?.relations[relation]?.target === model
  }

/** What a persona was refused, so that it does not ask the same again in other words. */
class Refusals {
  readonly #refused = new Set<string>()

  has({ stage, persona }: Group, { operation: { method } }: Turn): boolean {
    return this.#refused.has(`${persona} ${method}`) || this.#refused.has(`${stage} ${persona} ${method}`)
  }

  add({ stage, persona }: Group, { operation: { method } }: Turn, { loopback: { status } }: Exchange): void {
    if (status >= 400) this.#refused.add(`${stage} ${persona} ${method}`)
    if (status === 401 || status === 403) this.#refused.add(`${persona} ${method}`)
  }
}

/**
 * Sends as many turns of a group as there is room for, taken from all over it. One that was refused already is passed over, and
 * leaves its room to the others.
 */
async function sendGroup(
  group: Group,
  turns: readonly Turn[],
  room: number,
  { refusals, send }: { readonly refusals: Refusals; readonly send: (turn: Turn) => Promise<Exchange | undefined> }
): Promise<void> {
  let [left, due] = [room, 0]
  for (const [at, turn] of turns.entries()) {
    if (refusals.has(group, turn)) continue
    due += left / Math.max(1, turns.slice(at).filter((one) => !refusals.has(group, one)).length)
    if (due < 0.999) continue
    due -= 1
    left -= 1
    const exchange = await send(turn)
    if (exchange !== undefined) refusals.add(group, turn, exchange)
  }
}

/**
 * Sends every operation anonymously, as another user and as the owner of the records: first those that make accounts and records,
 * then reads with several filters, then writes, then what destroys. Tells whether the owner could sign in.
 */
export async function converse(
  session: Session,
  application: Application,
  description: Description,
  bounds: Bounds
): Promise<{ readonly isSignedIn: boolean }> {
  const end = Date.now() + bounds.milliseconds
  let count = 0
  const { values = {} } = application
  const records: Material['records'] = new Map()
  const owner = await makeAccounts(session, application, description, records)
  const material: Material = { description, records, owner, values, next: () => (count += 1) }
  const called = description.operations.filter((operation) => isCalled(application, operation))
  await seedRecords(session, material, { isCalled: (one) => called.includes(one), requests: bounds.requests / 3 })
  const send = async ({ operation, persona, variant }: Turn): Promise<Exchange | undefined> => {
    if (Date.now() > end || session.exchanges.length >= bounds.requests) return undefined
    if (session.hasEnded || session.isSilent(operation.method)) return undefined
    const file = nameOf(operation).verb === 'upload'
    const given = makeArguments(application, material, { operation, variant, persona })
    const exchange = await session.send({ operation, persona, kind: variant.name, ...given, ...(file && { file }) })
    if (isDone(exchange)) learn(material, exchange)
    return exchange
  }
  const groups = planTurns(called, description)
  const refusals = new Refusals()
  const room = bounds.requests - session.exchanges.length
  for (const [at, share] of shareRoom(groups, room, material).entries()) {
    const { [at]: group } = groups
    if (group !== undefined) await sendGroup(group, turnsOf(group, material), share, { refusals, send })
  }
  return { isSignedIn: owner !== undefined }
}
