import t from 'tap'
import type { Runner } from '#src/statement/run-statement.ts'
import { type RawRow, sql } from '#src/sql.ts'
import type { SqlTable } from '#src/table/sql-table.ts'
import { TableFacts, type TableQuestion } from '#src/facts/table-facts.ts'

const question: TableQuestion<number> = {
  table: {} as SqlTable, // facts do not look into it
  list: () => sql`select 1`,
  read: (rows) => rows.length
}

/** A catalog that gives these answers, one after the other, and counts the questions. */
function makeCatalog(answers: readonly (readonly RawRow[] | Error)[]) {
  const catalog = { questions: 0 }
  const run: Runner['run'] = async () => {
    const rows = answers[catalog.questions++] ?? []
    if (rows instanceof Error) throw rows
    return { rows }
  }
  return Object.assign(catalog, { run })
}

void t.test('those who ask at once, and those who ask later, get the answer of one question', async (t) => {
  const catalog = makeCatalog([[{}, {}]])
  const facts = new TableFacts<string, number>(catalog)
  t.strictSame(await Promise.all([facts.get('a', question), facts.get('a', question)]), [2, 2])
  t.equal(facts.get('a', question), 2, 'without waiting')
  t.equal(catalog.questions, 1)
})

void t.test('a table that is missing, and a question that failed, are asked about again', async (t) => {
  const catalog = makeCatalog([[], new RangeError('no answer'), [{}]])
  const facts = new TableFacts<string, number>(catalog)
  t.equal(await facts.get('a', question), 0)
  await t.rejects(async () => facts.get('a', question), { message: 'no answer' })
  t.equal(await facts.get('a', question), 1)
  t.equal(catalog.questions, 3)
})

void t.test('a question that fails when nobody waits any more is not an unhandled rejection', async (t) => {
  const facts = new TableFacts<string, number>(makeCatalog([new RangeError('no answer'), [{}]]))
  // tap fails the test for a rejection that nobody handles.
  void facts.get('a', question)
  await new Promise(setImmediate)
  t.equal(await facts.get('a', question), 1)
})

void t.test('what was forgotten is asked for again', async (t) => {
  const facts = new TableFacts<string, number>(makeCatalog([[{}], [{}, {}]]))
  t.equal(await facts.get('a', question), 1)
  facts.forget()
  t.equal(await facts.get('a', question), 2)
})

void t.test('an answer to what was asked before all was forgotten is not kept', async (t) => {
  const catalog = makeCatalog([[{}], [{}, {}], []])
  const facts = new TableFacts<string, number>(catalog)
  const before = facts.get('a', question)
  facts.forget()
  const after = facts.get('a', question)
  t.strictSame(await Promise.all([before, after]), [1, 2])
  t.equal(facts.get('a', question), 2)
})

void t.test('a question that cannot be written is answered by its error, and asked again', async (t) => {
  const facts = new TableFacts<string, number>(makeCatalog([[{}]]))
  const broken = (): never => {
    throw new RangeError('no such column')
  }
  await t.rejects(async () => facts.get('a', { ...question, list: broken }), { message: 'no such column' })
  t.equal(await facts.get('a', question), 1)
})

void t.test('what was known stays known while it is asked for again, and is the same unless it changed', async (t) => {
  const catalog = makeCatalog([[{}], [{}], new RangeError('no answer'), [{}, {}]])
  const clock = { now: 0 }
  const facts = new TableFacts<string, { readonly size: number }>(catalog, () => clock.now)
  const sized = { ...question, read: (rows: readonly RawRow[]) => ({ size: rows.length }), mayChange: () => true }
  const first = await facts.get('a', sized)
  const later = (): unknown => {
    clock.now += 30_000
    return facts.get('a', sized)
  }
  const same = later()
  t.equal(facts.known('a'), first, 'while the question is open')
  t.equal(await same, first)
  t.equal(facts.known('a'), first)
  await t.rejects(async () => later(), { message: 'no answer' })
  t.equal(facts.known('a'), first, 'where there was no answer')
  t.same(await facts.get('a', sized), { size: 2 }, 'which is asked for again at once')
  t.same(facts.known('a'), { size: 2 })
})

void t.test('an answer that another process may change is asked for again after some time', async (t) => {
  const catalog = makeCatalog([[{}], [{}, {}]])
  const clock = { now: 0 }
  const facts = new TableFacts<string, number>(catalog, () => clock.now)
  const changing = { ...question, mayChange: (fact: number) => fact === 1 }
  t.equal(await facts.get('a', changing), 1)
  clock.now = 29_999
  t.equal(facts.get('a', changing), 1)
  clock.now = 30_000
  t.equal(await facts.get('a', changing), 2)
  clock.now = 1_000_000
  t.equal(facts.get('a', changing), 2)
  t.equal(catalog.questions, 2)
})
