import t from 'tap'
import { verbOf } from '#src/statement/run-statement.ts'

void t.test('a statement has one of a few verbs, whatever its text', (t) => {
  const cases: readonly (readonly [sql: string, verb: string])[] = [
    ['select "id" from "note"', 'select'],
    ['\n  SELECT 1', 'select'],
    ['with rows as (select 1) select * from rows', 'select'],
    ['insert into "note" values ($1)', 'insert'],
    ['start transaction', 'begin'],
    ['commit', 'commit'],
    ['frobnicate 1', 'other'],
    ['constructor', 'other'],
    ['(select 1)', 'other'],
    ['', 'other']
  ]
  for (const [sql, verb] of cases) t.equal(verbOf(sql), verb, sql)
  t.end()
})
