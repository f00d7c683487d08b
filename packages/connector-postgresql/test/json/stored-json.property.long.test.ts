import { writeStatement, type Sql, sql } from '@modelwire/connector-sql'
import { createTestDatabase } from '@modelwire/connector-tests/postgresql'
import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import { Client, DatabaseError, types } from 'pg'
import t, { type Test } from 'tap'
import { postgresqlJsonText } from '#src/json/postgresql-json-text.ts'
import { decode, readColumn } from '#src/values/read-column.ts'
import { columnOf } from '../fixtures/column-of.ts'

/** Text that the database writes for a value of a column, and what it holds: null where it leaves the value to others. */
type Write = (value: string, kind: 'json' | 'date' | 'number', type: string) => Promise<Written>

interface Written {
  readonly json: string | null
  readonly stored: string
}

async function open(t: Test, zone = 'UTC'): Promise<Write> {
  const database = await createTestDatabase()
  const client = new Client({ connectionString: database.url })
  await client.connect()
  t.teardown(async () => {
    await client.end()
    await database.drop()
  })
  await client.query(`set timezone to '${zone}'`)
  const notation = { quote: (name: string) => `"${name}"`, placeholder: (place: number) => `$${place}` }
  return async (value, kind, type) => {
    const json = postgresqlJsonText.writeValue(sql.raw('value'), columnOf(kind), type)
    if (json === undefined) throw new Error(`no value of the type ${type} is written`)
    const given: Sql = sql`select ${json} as json, value::text as stored from (select ${value}::${sql.raw(type)} as value) as given`
    const { sql: text, parameters } = writeStatement(notation, given)
    const { rows } = await client.query<Written>(text, [...parameters])
    const [row] = rows
    if (row === undefined) throw new Error('no row came')
    return row
  }
}

/** The same, null for a text whose reading as JSON fails: the rows are asked for then. */
async function writeOrFail(write: Write, text: string, type = 'text'): Promise<string | null> {
  try {
    return (await write(text, 'json', type)).json
  } catch (error) {
    if (error instanceof DatabaseError && error.code?.startsWith('22') === true) return null
    throw error
  }
}

const expectedJson = (text: string): string => JSON.stringify(decode('json', text))

const hasNul = (text: string): boolean => text.includes('\0')
const isStorable = (text: string): boolean => text.isWellFormed() && !hasNul(text)

const character = fc.constantFrom(
  ...Array.from('ab"\\/:,{}[] 01é😀\n\u0001\u001f\u007f\u2028'),
  '\\u0000',
  '\\ud800',
  '\\u001F'
)
const word = fc
  .oneof(fc.string({ unit: character, maxLength: 6 }), fc.string({ unit: 'binary', maxLength: 4 }))
  .filter(isStorable)
const name = fc.oneof(word, fc.constantFrom('1', '10', '01', '__proto__', 'toJSON', 'length', '-1', '4294967295'))
const plainNumber = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double(),
  fc.integer({ min: -99_999, max: 99_999 }).map((whole) => whole / 1000)
)
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    plainNumber,
    word,
    fc.constantFrom(true, false, null),
    tie('list'),
    tie('object')
  ),
  list: fc.array(tie('value'), { maxLength: 4 }),
  object: fc.dictionary(name, tie('value'), { maxKeys: 4 })
}))
const structure = fc.oneof(fc.array(value, { maxLength: 4 }), fc.dictionary(name, value, { maxKeys: 4 }))

const token = fc.oneof(
  fc.constantFrom(
    ' ',
    '\n',
    '"a"',
    '"1"',
    '"\\u0000"',
    '"\\ud83d\\ude00"',
    '"\\ud800"',
    '"\\/"',
    '"\\u000a"',
    '"\\u001f"',
    '"\\u001F"'
  ),
  fc.constantFrom(
    'true',
    'null',
    '0',
    '-0',
    '-0.0',
    '1.0',
    '0.1',
    '1e5',
    '1E-7',
    '0.0000001',
    '01',
    '12345678901234567890'
  ),
  fc.constantFrom(
    '9007199254740993',
    '1.10',
    '.5',
    '-',
    'NaN',
    'x',
    "'",
    '{"a":1,"a":2}',
    '{"b":1,"a":2}',
    '-0e-7461',
    '{": null":null}',
    '{"2":1,"1":2}'
  )
)
const piece = fc.oneof(token, fc.constantFrom(...Array.from('[]{},:')))
const short = fc
  .tuple(fc.constantFrom('[@]', '{"a":@}', '[{},@]', '{"a":1,"b":[@]}', '{@:1}', '[{"a":1,@:2}]'), token)
  .map(([around, inside]) => around.replace('@', () => inside))
const pieces = fc.array(piece, { maxLength: 8 }).map((list) => list.join(''))
const broken = fc
  .tuple(structure, fc.nat(), fc.nat({ max: 3 }), piece)
  .map(([made, place, length, added]) => {
    const text = JSON.stringify(made)
    const at = place % (text.length + 1)
    return text.slice(0, at) + added + text.slice(at + length)
  })
  .filter(isStorable)
const spaced = fc.tuple(structure, fc.nat({ max: 2 })).map(([made, indent]) => JSON.stringify(made, null, indent))
const anyText = fc.oneof(
  pieces,
  short,
  broken,
  spaced,
  word,
  value.map((made) => JSON.stringify(made))
)

void t.test('a text is written as it would be read and written again, or not at all', async (t) => {
  const write = await open(t)
  await fc.assert(
    fc.asyncProperty(anyText, async (text) => {
      const json = await writeOrFail(write, text)
      if (json !== null && json !== expectedJson(text)) t.same(json, expectedJson(text), text)
      return json === null || json === expectedJson(text)
    }),
    { numRuns: runs(1500) }
  )
})

/** No numbers of many digits, names that JavaScript orders, or texts that only escapes of JSON can hold. */
const usualWord = fc.string({
  unit: fc.constantFrom(...Array.from('ab"\\/:,{}[] 01é😀\n\u0001\u007f'), ': null', ':null', 'null'),
  maxLength: 8
})
const { usual } = fc.letrec((tie) => ({
  usual: fc.oneof(
    { depthSize: 'small' },
    fc.integer(),
    fc.integer({ min: -99_999, max: 99_999 }).map((whole) => whole / 1000),
    usualWord,
    fc.constantFrom(true, false, null),
    fc.array(tie('usual'), { maxLength: 4 }),
    fc.dictionary(
      usualWord.map((text) => `n${text}`),
      tie('usual'),
      { maxKeys: 4 }
    )
  )
}))

const usualStructure = fc.oneof(
  fc.array(usual, { maxLength: 5 }),
  fc.dictionary(
    usualWord.map((text) => `n${text}`),
    usual
  )
)

void t.test('what LoopBack stores of lists and objects is written', async (t) => {
  const write = await open(t)
  await fc.assert(
    fc.asyncProperty(usualStructure, async (made) => {
      const text = JSON.stringify(made)
      return (await writeOrFail(write, text)) === text
    }),
    { numRuns: runs(300) }
  )
})

void t.test('what is stored as jsonb is written as it would be read, or not at all', async (t) => {
  const write = await open(t)
  await fc.assert(
    fc.asyncProperty(anyText, async (text) => {
      const json = await writeOrFail(write, text, 'jsonb')
      return json === null || json === expectedJson((await write(text, 'json', 'jsonb')).stored)
    }),
    { numRuns: runs(500) }
  )
  await fc.assert(
    fc.asyncProperty(
      usualStructure,
      async (made) => (await writeOrFail(write, JSON.stringify(made), 'jsonb')) !== null
    ),
    { numRuns: runs(200) }
  )
})

const moments = [
  Date.UTC(2026, 2, 8, 2),
  Date.UTC(2026, 9, 25, 1),
  Date.UTC(2026, 9, 4, 2),
  Date.UTC(1883, 10, 18, 12),
  Date.UTC(1000, 0, 1),
  Date.UTC(9999, 11, 31)
]
const two = (part: number): string => String(part).padStart(2, '0')
const usualTime = fc
  .tuple(fc.constantFrom(...moments), fc.integer({ min: -14_400, max: 14_400 }), fc.nat({ max: 999_999 }))
  .map(([moment, seconds, micros]) => {
    const [day, time] = new Date(moment + seconds * 1000).toISOString().split(/[T.]/)
    return `${day} ${time}.${String(micros).padStart(6, '0')}`
  })
const oddTime = fc
  .tuple(fc.integer({ min: 1, max: 290_000 }), fc.nat({ max: 11 }), fc.nat({ max: 27 }), fc.constantFrom('', ' BC'))
  .filter(([year, , , era]) => era === '' || year < 4000)
  .map(
    ([year, month, day, era]) =>
      `${String(year).padStart(4, '0')}-${two(month + 1)}-${two(day + 1)} 00:00:00.0005${era}`
  )
const anyTime = fc.oneof(usualTime, oddTime, fc.constantFrom('infinity', '-infinity', '2016-12-31 23:59:60'))

for (const zone of ['UTC', 'America/New_York', 'Europe/Amsterdam', 'Australia/Lord_Howe']) {
  void t.test(`times in columns of every type are those that are read, in ${zone}`, async (t) => {
    const known = process.env['TZ']
    process.env['TZ'] = zone
    t.teardown(() => {
      if (known === undefined) delete process.env['TZ']
      else process.env['TZ'] = known
    })
    const write = await open(t, zone)
    const { TIMESTAMP, TIMESTAMPTZ, DATE } = types.builtins
    const columns = [
      ['timestamp', TIMESTAMP],
      ['timestamptz', TIMESTAMPTZ],
      ['date', DATE]
    ] as const
    await fc.assert(
      fc.asyncProperty(anyTime, fc.constantFrom(...columns), async (time, [type, number]) => {
        const { json, stored } = await write(time, 'date', type)
        const read = JSON.stringify(readColumn({ kind: 'date' }, number)(stored))
        // Years of four digits from 1000 on are all that is written.
        return json === null
          ? !/^[1-9]\d{3}-/.test(stored) || stored.endsWith(' BC') || !/^"[1-9]/.test(read)
          : json === read
      }),
      { numRuns: runs(120) }
    )
  })
}

void t.test('numbers of single precision are those that their digits mean', async (t) => {
  const write = await open(t)
  await fc.assert(
    fc.asyncProperty(fc.float({ noNaN: true, noDefaultInfinity: true }), async (number) => {
      const { json, stored } = await write(String(number), 'number', 'float4')
      const read = readColumn({ kind: 'number' }, types.builtins.FLOAT4)(stored)
      return json === null || json === JSON.stringify(read)
    }),
    { numRuns: runs(500) }
  )
})
