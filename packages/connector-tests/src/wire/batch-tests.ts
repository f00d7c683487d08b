import { modelwire } from '@modelwire/core'
import type { Connector } from '@modelwire/core/connector'
import { rest } from '@modelwire/rest'
import * as fc from 'fast-check'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Test } from 'tap'

/** What one request does to a slot: a record with that id. */
type Step =
  | { readonly verb: 'create' | 'update' | 'upsert'; readonly slot: number; readonly text: string }
  | { readonly verb: 'delete'; readonly slot: number }

type Slots = ReadonlyMap<number, string>

const slot = fc.integer({ min: 1, max: 5 })
const text = fc.constantFrom('a', 'b', 'long text')
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ verb: fc.constantFrom('create' as const, 'update' as const, 'upsert' as const), slot, text }),
    fc.record({ verb: fc.constant('delete' as const), slot })
  ),
  { minLength: 1, maxLength: 6 }
)

/** A request that the rules of the model, or the records that are there, refuse. */
const isRefused = (step: Step, slots: Slots): boolean =>
  (step.verb === 'create' && slots.has(step.slot)) || (step.verb === 'update' && !slots.has(step.slot))

function carryOut(step: Step, slots: Slots): Slots {
  const next = new Map(slots)
  if (step.verb === 'delete') next.delete(step.slot)
  else next.set(step.slot, step.text)
  return next
}

/** What is there after a batch, by a naive oracle. */
function expected(batch: readonly Step[], before: Slots, atomic: boolean): Slots {
  let slots = before
  for (const step of batch) {
    const refused = isRefused(step, slots)
    if (refused && atomic) return before
    if (!refused) slots = carryOut(step, slots)
  }
  return slots
}

function requestOf(step: Step): object {
  const url = `/Slots/${step.slot}`
  if (step.verb === 'delete') return { method: 'DELETE', url }
  if (step.verb === 'update') return { method: 'PATCH', url, body: { text: step.text } }
  const body = { id: step.slot, text: step.text }
  return { method: step.verb === 'create' ? 'POST' : 'PATCH', url: '/Slots', body }
}

async function start(t: Test, connector: Connector): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, {
    dataSources: { db: connector },
    models: [
      {
        name: 'Slot',
        public: true,
        forceId: false,
        properties: { id: { type: 'number', id: true, generated: false }, text: 'string' }
      }
    ]
  })
  await app.register(rest, { prefix: '/api', batch: true })
  await connector.migrate?.([app.models.typeOf('Slot')], { empty: true })
  return app
}

const slotsOf = async (app: FastifyInstance): Promise<[unknown, unknown][]> =>
  (await app.models.get('Slot').find({ order: 'id' })).map((each) => [each['id'], each['text']])

const sorted = (slots: Slots) => [...slots].toSorted(([left], [right]) => left - right)

async function checkBatch(
  app: FastifyInstance,
  before: Slots,
  batch: readonly Step[],
  atomic: boolean
): Promise<Slots> {
  const payload = { atomic, requests: batch.map(requestOf) }
  const answer = await app.inject({ method: 'POST', url: '/api/batch', payload })
  const after = expected(batch, before, atomic)
  const found = await slotsOf(app)
  if (JSON.stringify(found) !== JSON.stringify(sorted(after)))
    throw new Error(
      `${answer.statusCode} ${answer.body}: ${JSON.stringify(found)} instead of ${JSON.stringify(sorted(after))}`
    )
  return after
}

/** Sends an atomic batch that changes nothing: a database may be one of several servers, or alone and without transactions. */
async function canRollBack(app: FastifyInstance): Promise<boolean> {
  const payload = { atomic: true, requests: [requestOf({ verb: 'delete', slot: 9 })] }
  const answer = await app.inject({ method: 'POST', url: '/api/batch', payload })
  if (answer.statusCode !== 200 && answer.statusCode !== 501) throw new Error(`${answer.statusCode} ${answer.body}`)
  return answer.statusCode === 200
}

/**
 * Batches over a connector: whatever is in them, atomic ones change everything or nothing, others what is not refused. Where the database
 * has no transactions, atomic ones are refused. The model `Slot` is migrated in an empty place.
 */
export async function batchTests(t: Test, connector: Connector, numRuns = 60): Promise<void> {
  const app = await start(t, connector)
  const rollsBack = await canRollBack(app)
  let slots: Slots = new Map()
  await fc.assert(
    fc.asyncProperty(steps, fc.boolean(), async (batch, atomic) => {
      slots = await checkBatch(app, slots, batch, atomic && rollsBack)
    }),
    { numRuns, endOnFailure: true }
  )
  t.strictSame(await slotsOf(app), sorted(slots))
}
