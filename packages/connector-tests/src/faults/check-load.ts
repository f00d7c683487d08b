import type { Connector } from '@modelwire/core/connector'
import type { Test } from 'tap'
import type { LoadReport } from './send-load.ts'
import { serveEntries } from './serve-entries.ts'

/** Answers that clients may get while their database is in trouble, beside success. */
export type AllowedAnswers = readonly string[]

/**
 * Checks what clients saw, and, through another connector to the same database, what it holds: every acknowledged entry,
 * and both of a pair or none.
 */
export async function checkLoad(
  t: Test,
  { acknowledged, pairs, answers, hung, slowest, broken }: LoadReport,
  { connector, allowed }: { connector: Connector; allowed: AllowedAnswers }
): Promise<void> {
  const seen = [...answers].map(([answer, count]) => `${count} × ${answer}`).join(', ')
  t.comment(`${acknowledged.size} acknowledged; answers: ${seen}; slowest ${Math.round(slowest)} ms; ${broken} broken`)
  t.ok(acknowledged.size > 0, 'something was written')
  t.equal(hung, 0, 'no request hung')
  const others = [...answers.keys()].filter((answer) => answer !== '200' && !allowed.includes(answer))
  t.same(others, [], 'every answer is a success or one of the expected codes')
  const stored = await storedIds(connector)
  const lost = [...acknowledged].filter((id) => !stored.has(id))
  t.same(lost, [], 'every acknowledged write is there')
  const halves = pairs.filter((pair) => pair.filter((id) => stored.has(id)).length === 1)
  t.same(halves, [], 'what was written together is there together')
}

async function storedIds(connector: Connector): Promise<ReadonlySet<unknown>> {
  const { app } = await serveEntries(connector)
  try {
    const rows = await app.models.typeOf('FaultEntry').collection?.find({ order: [], skip: 0 })
    return new Set(rows?.map((row) => row['id']))
  } finally {
    await app.close()
  }
}
