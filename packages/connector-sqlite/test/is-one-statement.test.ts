import { sqlite } from '@modelwire/connector-sqlite'
import t from 'tap'
import { isOneStatement } from '#src/sqlite-schema.ts'

const one = [
  'select 1',
  'select 1;',
  'select 1 ; ; -- and; more',
  `insert into a values ('x; y', "b;c", [d;e], \`f;g\`)`,
  '/* a; b */ select 1 /* c; d',
  'create trigger t after insert on a begin delete from b; delete from c; end;'
]
const several = [
  'select 1; select 2',
  `select ';'; select 2`,
  'select 1; /* x */ drop table a',
  'create temp trigger t after insert on a begin delete from b; end; drop table a'
]

t.test('semicolons in texts, names, comments and triggers end no statement', async (t) => {
  for (const text of one) t.equal(isOneStatement(text), true, text)
})

t.test('a second statement is seen', async (t) => {
  for (const text of several) t.equal(isOneStatement(text), false, text)
})

t.test('a step of several statements is refused', async (t) => {
  const connector = sqlite({ file: ':memory:' })
  t.teardown(() => connector.disconnect())
  await connector.connect()
  const facts = { direction: 'up', name: 'a', checksum: 'x', stepsDone: 0, transaction: true } as const
  const steps = ['create table a (x integer); drop table a']
  await t.rejects(async () => connector.migrationHistory?.runNext('done', () => ({ ...facts, steps })), {
    code: 'MIGRATION_STEP_FAILED',
    cause: { code: 'MIGRATION_SEVERAL_STATEMENTS' }
  })
})
