import t from 'tap'
import { runScript } from './fixtures/boot-with-sqlite.ts'

const seen: [string, string, unknown][] = [
  [
    'with parameters, with a promise and with a callback',
    `await Author.create([{ name: 'Ann' }, { name: 'Bo' }])
     const rows = await db.connector.execute('select name from author where id > ?', [1])
     const fromCallback = await called(cb => db.connector.query('select count(*) as n from author', cb))
     return [rows, fromCallback]`,
    [[{ name: 'Bo' }], [null, [{ n: 2 }]]]
  ],
  [
    'that changes records and tells how many',
    `await Author.create([{ name: 'Ann' }, { name: 'Bo' }])
     return [await db.connector.execute("update author set name = name || '!'"), (await Author.findById(2)).name]`,
    [{ count: 2, affectedRows: 2 }, 'Bo!']
  ],
  [
    'within the transaction of its options',
    `const tx = await db.beginTransaction({})
     await db.connector.execute("insert into author (name) values ('Ann')", [], { transaction: tx })
     const inside = await db.connector.execute('select name from author', [], { transaction: tx })
     await tx.rollback()
     return [inside, await Author.count()]`,
    [[{ name: 'Ann' }], 0]
  ],
  [
    'that the database refuses has a code',
    `return code(db.connector.execute('select * from nowhere'))`,
    'DATABASE_SCHEMA_MISSING'
  ]
]

for (const [name, script, wanted] of seen) {
  void t.test(`scripts run a statement ${name}`, async (t) => t.match(await runScript(t, script), wanted))
}
