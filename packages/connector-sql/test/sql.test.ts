import t from 'tap'
import { sql, writeStatement } from '#src/sql.ts'

const notation = {
  quote: (name: string) => `"${name.replaceAll('"', '""')}"`,
  placeholder: (place: number) => `$${place}`
}

void t.test('values become parameters in their order, also those of pieces within pieces', async (t) => {
  const inner = sql`a = ${1} or b in (${sql.join(['x', null])})`
  const statement = sql`select ${sql.id('c"d')} from ${sql.id('s', 't')} where (${inner}) and e = ${[2, 3]} limit ${sql.lit(4)}`
  t.strictSame(writeStatement(notation, statement), {
    sql: 'select "c""d" from "s"."t" where (a = $1 or b in ($2, $3)) and e = $4 limit 4',
    parameters: [1, 'x', null, [2, 3]]
  })
})

void t.test('a piece can be used in several statements', async (t) => {
  const piece = sql`x = ${'y'}`
  t.strictSame(writeStatement(notation, piece), writeStatement(notation, piece))
  t.equal(writeStatement(notation, sql`${piece} ${piece}`).sql, 'x = $1 x = $2')
})

void t.test('text never comes from a value', async (t) => {
  const values = ["'; drop table x; --", { toString: () => 'raw' }, Buffer.from('raw')]
  t.equal(writeStatement(notation, sql`${sql.join(values, sql` `)}`).sql, '$1 $2 $3')
})
