import { type Persona, personas } from './accounts.ts'
import type { Application } from './application.ts'
import type { Description, Operation } from './description.ts'
import type { Session } from './exchange.ts'
import { makeArguments, type Variant } from './make-arguments.ts'
import type { Material } from './make-record.ts'
import { makeVariants } from './make-variants.ts'
import { nameOf, stageOf } from './operation-name.ts'
import { makeAccounts, seedRecords } from './seed-records.ts'

/** Change streams never end; `verify` ends LoopBack's process where no mail is set up. */
const neverCalled = /\.createChangeStream$|\.prototype\.__createChangeStream__|\.prototype\.verify$/

function isCalled({ skip }: Application, { method }: Operation): boolean {
  return !neverCalled.test(method) && !Object.keys(skip).some((beginning) => method.startsWith(beginning))
}

/** A logout comes after everything else, and after deletes. */
const order = ({ method }: Operation): number => {
  if (method.endsWith('.logout')) return 2
  return /password/i.test(method) ? 1 : 0
}

const stages = ['read', 'write', 'read again', 'destroy', 'read again'] as const

const owners: readonly Persona[] = ['owner']

/** Who sends which operation, in the order in which they are sent; after writes the owner looks at what came of them. */
function inTurn(
  operations: readonly Operation[]
): readonly { readonly operation: Operation; readonly persona: Persona }[] {
  return stages.flatMap((stage) => {
    const isAgain = stage === 'read again'
    const ofStage = operations.filter((operation) => stageOf(operation) === (isAgain ? 'read' : stage))
    const sorted = ofStage.toSorted((one, other) => order(one) - order(other))
    return (isAgain ? owners : personas).flatMap((persona) => sorted.map((operation) => ({ operation, persona })))
  })
}

function inBounds(end: number, session: Session, limit: number): boolean {
  return Date.now() < end && session.exchanges.length < limit && !session.hasEnded
}

/** The last record is the one that was deleted. */
function forgetLast({ records }: Material, model: string): void {
  const known = records.get(model) ?? []
  if (known.length > 1) known.pop()
}

interface Turn {
  readonly operation: Operation
  readonly persona: Persona
  readonly variant: Variant
}

/** As many of a list as there is room for, taken from all over it. */
function spread<T>(list: readonly T[], room: number): readonly T[] {
  if (list.length <= room) return list
  return list.filter((_, at) => Math.floor((at * room) / list.length) !== Math.floor(((at - 1) * room) / list.length))
}

/** Bounds of one application. */
export interface Bounds {
  readonly requests: number
  readonly milliseconds: number
}

/**
 * Sends every operation anonymously, as another user and as the owner of the records: first those that make accounts and records,
 * then reads with several filters, then writes, then what destroys.
 */
export async function converse(
  session: Session,
  application: Application,
  description: Description,
  bounds: Bounds
): Promise<void> {
  const end = Date.now() + bounds.milliseconds
  let count = 0
  const owner = await makeAccounts(session, application, description)
  const { values = {} } = application
  const material: Material = { description, records: new Map(), owner, values, next: () => (count += 1) }
  const called = description.operations.filter((operation) => isCalled(application, operation))
  await seedRecords(session, material, { isCalled: (one) => called.includes(one), requests: bounds.requests / 3 })
  const send = async ({ operation, persona, variant }: Turn): Promise<void> => {
    if (!inBounds(end, session, bounds.requests) || session.isSilent(operation.method)) return
    const file = nameOf(operation).verb === 'upload'
    const given = makeArguments(application, material, operation, variant)
    const exchange = await session.send({ operation, persona, kind: variant.name, ...given, ...(file && { file }) })
    const { model, verb } = nameOf(operation)
    if (verb === 'deleteById' && exchange.loopback.status === 200) forgetLast(material, model)
  }
  const turns = inTurn(called).flatMap(({ operation, persona }) => {
    const variants = makeVariants(operation, material)
    return (persona === 'owner' ? variants : variants.slice(0, 1)).map((variant): Turn => ({
      operation,
      persona,
      variant
    }))
  })
  for (const turn of spread(turns, bounds.requests - session.exchanges.length)) await send(turn)
}
