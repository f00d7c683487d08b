import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { HeldConnection } from '#src/connection/held-connection.ts'

interface Recorder {
  readonly held: HeldConnection
  /** What reached the connection, in its order. */
  readonly seen: string[]
  readonly run: (sql: string) => Promise<unknown>
}

/** A connection that answers later, and fails at some statements. */
function record(failing: readonly string[] = []): Recorder {
  const seen: string[] = []
  const held = new HeldConnection({
    run: async ({ sql }) => {
      seen.push(sql)
      await setImmediate()
      seen.push(`${sql} is over`)
      if (failing.includes(sql)) throw new Error(`${sql} failed`)
      return { rows: [] }
    },
    release: (isBroken) => seen.push(isBroken ? 'closed' : 'released')
  })
  const run = (sql: string): Promise<unknown> => held.inTurn((connection) => connection.run({ sql, parameters: [] }))
  return { held, seen, run }
}

const over = (...statements: string[]): string[] => statements.flatMap((sql) => [sql, `${sql} is over`])

void t.test('statements come one after the other, also behind one that fails', async (t) => {
  const { held, seen, run } = record(['b'])
  const outcomes = await Promise.allSettled([run('a'), run('b'), run('c'), held.release()])
  t.strictSame(seen, [...over('a', 'b', 'c'), 'released'])
  t.strictSame(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled']
  )
})

void t.test('a transaction commits what its work did, and gives the connection back', async (t) => {
  const { held, seen, run } = record()
  t.equal(held.isTransaction, false)
  await held.begin(['set level', 'begin'])
  t.equal(held.isTransaction, true)
  t.equal(await held.commitAfter(async () => (await run('a'), 'result')), 'result')
  t.strictSame(seen, [...over('set level', 'begin', 'a', 'commit'), 'released'])
})

void t.test('what waits when the work fails is rolled back with it', async (t) => {
  const { held, seen, run } = record(['a'])
  await held.begin(['begin'])
  const left: Promise<unknown>[] = []
  const work = async (): Promise<void> => {
    const first = run('a')
    left.push(run('b'), run('c'))
    await first
  }
  await t.rejects(held.commitAfter(work), { message: 'a failed' })
  await Promise.all(left)
  t.strictSame(seen, [...over('begin', 'a', 'b', 'c', 'rollback'), 'released'])
})

void t.test('where the commit fails, that is the error, whatever becomes of the rollback', async (t) => {
  const first = record(['commit'])
  await t.rejects(
    first.held.commitAfter(async () => {}),
    { message: 'commit failed' }
  )
  t.strictSame(first.seen, [...over('commit', 'rollback'), 'released'])
  const second = record(['commit', 'rollback'])
  await t.rejects(
    second.held.commitAfter(async () => {}),
    { message: 'commit failed' }
  )
  t.equal(second.seen.at(-1), 'closed')
})

void t.test('a connection whose transaction does not begin or end as it should is closed', async (t) => {
  const ending = record(['rollback'])
  await t.rejects(ending.held.rollback(), { message: 'rollback failed' })
  t.equal(ending.seen.at(-1), 'closed')
  const beginning = record(['begin'])
  await t.rejects(beginning.held.begin(['set level', 'begin']), { message: 'begin failed' })
  t.strictSame(beginning.seen, [...over('set level', 'begin'), 'closed'])
})
