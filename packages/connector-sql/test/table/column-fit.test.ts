import { type ColumnType, fitOf, sql } from '@modelwire/connector-sql'
import t from 'tap'

const row = (facts: Partial<ColumnType>): ColumnType => ({ written: /^/, ...facts })

void t.test('strings are those of the values, compared as the type does where it says so', async (t) => {
  const works = { read: true, written: true, matched: true }
  t.match(fitOf(row({ kind: 'text', isText: true }), 'text'), { ...works, compared: 'native', ordered: 'native' })
  t.match(fitOf(row({}), 'text'), { ...works, compared: 'text', ordered: 'text' })
  const isOwnForm = (): boolean => true
  t.match(fitOf(row({ kind: 'text', isOwnForm }), 'text'), { ...works, compared: 'native', ordered: 'text' })
  t.match(fitOf(row({ isOwnForm, ordersAsText: true }), 'text'), { compared: 'native', ordered: 'native' })
  t.match(fitOf(row({ kind: 'point', holdsObjects: true }), 'text'), { read: false, why: 'holds no strings' })
})

void t.test('other kinds are those of the type, or cast, or do not fit', async (t) => {
  t.match(fitOf(row({ kind: 'number' }), 'number'), { compared: 'native', why: undefined })
  t.match(fitOf(row({ kind: 'number', digits: 'whole' }), 'decimal'), { compared: 'native', why: undefined })
  const comparedAs = { boolean: () => sql`true` }
  t.match(fitOf(row({ kind: 'number', comparedAs }), 'boolean'), { read: true, compared: 'cast' })
  t.match(fitOf(row({ kind: 'number' }), 'boolean'), {
    read: true,
    compared: false,
    why: /neither compares with booleans nor stores them/
  })
  t.match(fitOf(row({ kind: 'date' }), 'number'), {
    read: false,
    written: false,
    why: 'holds no numbers',
    advice: 'declare the property as "date"'
  })
  const items = row({ kind: 'date' })
  t.match(fitOf(row({ kind: 'json', items }), 'json'), { read: true, compared: 'cast' })
  t.match(fitOf(row({ kind: 'json', items }), 'number'), { read: false, advice: 'declare the property as ["date"]' })
  t.match(fitOf(row({ kind: 'date', comparesAny: true }), 'number'), { read: true, compared: 'native' })
})

void t.test('what cannot be written says why; dates may stand in strings', async (t) => {
  const readOnly = 'is computed by the database'
  t.match(fitOf(row({ kind: 'number', readOnly }), 'number'), { read: true, written: false, why: readOnly })
  const texts = row({ kind: 'text', isText: true, datesAsText: true })
  t.match(fitOf(texts, 'date'), { read: true, written: true, compared: 'native' })
})
