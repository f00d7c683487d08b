import { type Persona, personas } from './accounts.ts'
import type { Application } from './application.ts'
import type { Description, Operation } from './description.ts'
import type { Session } from './exchange.ts'
import { makeArguments, type Variant } from './make-arguments.ts'
import type { Material } from './make-record.ts'
import { makeVariants } from './make-variants.ts'
import { nameOf, stageOf } from './operation-name.ts'
import { makeAccounts, seedRecords } from './seed-records.ts'

/** Operations that never answer, or end what others need. */
const neverCalled = /\.createChangeStream$|\.prototype\.__createChangeStream__/

function isCalled({ skip }: Application, { method }: Operation): boolean {
  return !neverCalled.test(method) && !Object.keys(skip).some((beginning) => method.startsWith(beginning))
}

const plain: Variant = { name: 'plain' }

/** A logout comes after everything else, and after deletes. */
const order = ({ method }: Operation): number => {
  if (method.endsWith('.logout')) return 2
  return /password/i.test(method) ? 1 : 0
}

const stages = ['read', 'write', 'destroy'] as const

/** Who sends which operation, in the order in which they are sent. */
function inTurn(
  operations: readonly Operation[]
): readonly { readonly operation: Operation; readonly persona: Persona }[] {
  return stages.flatMap((stage) => {
    const ofStage = operations.filter((operation) => stageOf(operation) === stage)
    const sorted = ofStage.toSorted((one, other) => order(one) - order(other))
    return personas.flatMap((persona) => sorted.map((operation) => ({ operation, persona })))
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

/** Bounds of one application. */
export interface Bounds {
  readonly requests: number
  readonly milliseconds: number
}

/**
 * Sends every operation as nobody, as a stranger and as the owner of the records: first those that make accounts and records,
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
  const material: Material = { description, records: new Map(), owner, next: () => (count += 1) }
  const called = description.operations.filter((operation) => isCalled(application, operation))
  await seedRecords(session, material, (operation) => called.includes(operation))
  const send = async (operation: Operation, persona: Persona, variant: Variant): Promise<void> => {
    if (!inBounds(end, session, bounds.requests)) return
    const file = nameOf(operation).verb === 'upload'
    const values = makeArguments(application, material, operation, variant)
    const exchange = await session.send({ operation, persona, kind: variant.name, ...values, ...(file && { file }) })
    const { model, verb } = nameOf(operation)
    if (verb === 'deleteById' && exchange.loopback.status === 200) forgetLast(material, model)
  }
  for (const { operation, persona } of inTurn(called)) {
    const variants = persona === 'owner' ? makeVariants(operation, material) : [plain]
    for (const variant of variants) await send(operation, persona, variant)
  }
}
