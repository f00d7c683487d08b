import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import LibSql from 'libsql'
import t, { type Test } from 'tap'
import { SqliteConnection } from '#src/sqlite-connection.ts'

function open(t: Test): SqliteConnection {
  const connection = new SqliteConnection(new LibSql(':memory:'))
  t.teardown(() => connection.close())
  return connection
}

const run = (connection: SqliteConnection, sql: string, ...parameters: readonly unknown[]) =>
  connection.run({ sql, parameters }).rows

const value = fc.oneof(
  fc.double({ noNaN: true }).filter((each) => !Object.is(each, -0)),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }).filter((each) => each.isWellFormed()),
  fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
  fc.constant(null)
)

t.test('every value is read as it was stored, by a select and from what a change returns', async (t) => {
  const connection = open(t)
  run(connection, 'create table t (id integer primary key, "a ""b" blob, c)')
  fc.assert(
    fc.property(value, value, (a, c) => {
      const [returned] = run(connection, 'insert into t ("a ""b", c) values (?, ?) returning "id", "a ""b", "c"', a, c)
      const [read] = run(connection, 'select id, "a ""b", c from t where id = ?', returned?.['id'])
      t.strictSame(returned, { id: returned?.['id'], 'a "b': a, c })
      t.strictSame(read, returned)
    }),
    { numRuns: runs(500) }
  )
})

t.test('every number is read to its last bit', async (t) => {
  const connection = open(t)
  run(connection, 'create table t (n real)')
  const bits = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((each) => {
    const view = new DataView(new ArrayBuffer(8))
    view.setBigUint64(0, each)
    return view.getFloat64(0)
  })
  const numbers = fc.array(
    bits.filter((each) => !Number.isNaN(each) && each !== 0),
    { minLength: 50, maxLength: 50 }
  )
  fc.assert(
    fc.property(numbers, (list) => {
      run(connection, 'delete from t')
      for (const each of list) run(connection, 'insert into t values (?)', each)
      const read = run(connection, 'select n from t order by rowid').map(({ n }) => n)
      t.strictSame(read, list)
    }),
    { numRuns: 100 }
  )
  const edges = [Infinity, -Infinity, Number.MAX_VALUE, -Number.MAX_VALUE, Number.MIN_VALUE, 2 ** 53 - 1, 0.1]
  run(connection, 'delete from t')
  for (const each of edges) run(connection, 'insert into t values (?)', each)
  t.strictSame(
    run(connection, 'select n from t order by rowid').map(({ n }) => n),
    edges
  )
})

t.test('a table may have more columns than a function has arguments', async (t) => {
  const connection = open(t)
  const names = Array.from({ length: 250 }, (_, at) => `"n${at}"`)
  run(connection, `create table t (${names.join(', ')})`)
  const row = Object.fromEntries(names.map((name, at) => [name.slice(1, -1), at]))
  const insert = `insert into t values (${names.map(() => '?').join(', ')}) returning ${names.join(', ')}`
  t.strictSame(run(connection, insert, ...Object.values(row)), [row])
  t.strictSame(run(connection, `select ${names.join(', ')} from t`), [row])
  t.strictSame(run(connection, 'select n0 from t where n0 = 1'), [])
})

t.test('a name that no column has is an error, not a text', async (t) => {
  const connection = open(t)
  run(connection, 'create table t (a text)')
  t.throws(() => run(connection, 'select "a", t."b" from t'), { code: 'SQLITE_ERROR' })
  t.throws(() => run(connection, 'insert into t values (1) returning t."b"'), { code: 'SQLITE_ERROR' })
})
