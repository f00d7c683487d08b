import t from 'tap'
import { answersAsLoopback, type Exchange } from './answers.ts'

t.test('the default $now of a date is the time of the call', async (t) => {
  const properties = {
    code: 'string',
    made: { type: 'date', default: '$now' },
    text: { type: 'string', default: '$now' }
  }
  const server = await answersAsLoopback(t, { Desk: { file: { properties } } }, [
    ['POST /Desks {"code":"a","made":"$now"}', 422],
    ['PATCH /Desks {"code":"b"}', 200]
  ])
  const send = async (method: 'POST' | 'PATCH' | 'PUT' | 'GET', url: string, payload = {}) =>
    (await server.inject({ method, url: `/api${url}`, ...(method === 'GET' ? {} : { payload }) })).json()
  const isNow = (made: string) => Math.abs(Date.parse(made) - Date.now()) < 60_000
  const first = await send('POST', '/Desks', { code: 'a' })
  t.ok(isNow(first.made), first.made)
  t.equal(first.text, '$now')
  t.equal((await send('PATCH', '/Desks/2', { code: 'b' })).made, first.made)
  t.ok(isNow((await send('PUT', '/Desks/2', { code: 'c' })).made))
})

t.test('a default that is no value of its type never shows an object of ours', async (t) => {
  const file = { properties: { code: 'string', made: { type: 'date', default: 'soon' } } }
  const server = await answersAsLoopback(t, { Desk: { file } }, [['POST /Desks {"code":"a"}', 200]])
  for (const url of ['/api/Desks/1', '/api/Desks']) t.notMatch((await server.inject(url)).body, 'is not a valid date')
})

t.test('required is whatever counts as true', async (t) => {
  const properties = { a: { type: 'string', required: 'true' }, b: { type: 'string', required: 1 } }
  await answersAsLoopback(t, { Desk: { file: { properties } } }, [
    ['POST /Desks {}', 422],
    ['POST /Desks {"a":"x"}', 422],
    ['POST /Desks {"a":"x","b":"y"}', 200]
  ])
})

t.test('applyDefaultOnWrites: false leaves a default out', async (t) => {
  const properties = {
    a: 'string',
    b: { type: 'string', default: 'B', applyDefaultOnWrites: false },
    c: { type: 'string', default: 'C' }
  }
  await answersAsLoopback(t, { Desk: { file: { properties } } }, [
    ['POST /Desks {"a":"1"}', 200, { a: '1', c: 'C', id: 1 }],
    ['PUT /Desks/1 {"a":"2"}', 200, { a: '2', c: 'C', id: 1 }],
    ['PATCH /Desks/1 {"a":"3"}', 200, { a: '3', c: 'C', id: 1 }],
    ['GET /Desks/1', 200, { a: '3', c: 'C', id: 1 }]
  ])
})

t.test('strict: "filter" leaves out what is not declared', async (t) => {
  await answersAsLoopback(t, { Desk: { file: { strict: 'filter', properties: { n: 'number' } } } }, [
    ['POST /Desks {"n":1,"z":2}', 200, { n: 1, id: 1 }],
    ['PATCH /Desks/1 {"n":1,"z":2}', 200, { n: 1, id: 1 }],
    ['PUT /Desks/1 {"n":1,"z":2}', 200, { n: 1, id: 1 }],
    ['GET /Desks/1', 200, { n: 1, id: 1 }]
  ])
})

const texts: readonly (readonly [text: string, becomes: unknown])[] = [
  ['5', 5],
  ['true', true],
  ['null', null],
  ['[1]', [1]],
  ['{"a":1}', { a: 1 }],
  ['x', 'x'],
  ['05', '05'],
  ['1e3', 1000],
  ['', ''],
  ['[1', '[1'],
  ['"x"', 'x'],
  [' 5', 5],
  ['2020-01-01', '2020-01-01']
]

t.test('texts for a property of any type, and for lists, are JSON where they can be', async (t) => {
  await answersAsLoopback(t, { Desk: { file: { properties: { a: 'any', tags: ['string'], l: ['any'] } } } }, [
    ...texts.map(([a, becomes], index): Exchange => [
      `POST /Desks ${JSON.stringify({ a })}`,
      200,
      { a: becomes, id: index + 1 }
    ]),
    ['POST /Desks {"a":["5"]}', 200, { a: ['5'], id: 14 }],
    ['POST /Desks {"l":["5","true"]}', 200, { l: ['5', 'true'], id: 15 }],
    ['POST /Desks {"tags":"null"}', 200, { tags: [], id: 16 }],
    ['POST /Desks {"tags":"[\\"a\\"]"}', 200, { tags: ['a'], id: 17 }],
    ['POST /Desks {"tags":"x"}', 400],
    ['POST /Desks {"tags":""}', 400],
    ['POST /Desks {"tags":"5"}', 400]
  ])
})
