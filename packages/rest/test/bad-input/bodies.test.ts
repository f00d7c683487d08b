import t from 'tap'
import { type Attack, bodyAttacks, refuseAll, startTarget, writes } from './start-target.ts'

const xml = 'application/xml'
const form = 'application/x-www-form-urlencoded'

const malformed = [
  '{',
  '{"a":}',
  '[1,',
  'nope',
  '"x"',
  '5',
  'true',
  '{"a":1}}',
  "{'a':1}",
  '\u0000',
  '{"a":"\u0001"}',
  'undefined',
  'NaN',
  '{"a":01}',
  '{"a":1,}'
]

t.test('malformed JSON', async (t) => {
  const app = await startTarget(t)
  await refuseAll(
    t,
    app,
    malformed.flatMap((payload) => bodyAttacks(JSON.stringify(payload), payload, undefined, 400))
  )
})

const levels = 10_000
const deepList = '['.repeat(levels) + ']'.repeat(levels)
const deepObject = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

t.test('JSON of ten thousand levels, also inside of texts that are read as JSON', async (t) => {
  const app = await startTarget(t)
  const bodies = [deepList, deepObject].flatMap((deep) => [
    deep,
    `{"anything":${deep}}`,
    `{"list":[${deep}]}`,
    JSON.stringify({ anything: deep }),
    JSON.stringify({ list: `[${deep}]` }),
    JSON.stringify({ texts: `[${deep}]` })
  ])
  const attacks = bodies.flatMap((payload) => bodyAttacks(payload.slice(0, 20), payload))
  await refuseAll(t, app, attacks)
})

const reserved = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']
const escaped = ['\\u005f_proto__', '__proto\\u005f\\u005f', 'c\\u006fnstructor']

t.test('names of the object model in JSON, escaped, nested and inside of texts too', async (t) => {
  const app = await startTarget(t)
  const bodies = [...reserved, ...escaped].flatMap((name) => {
    const polluting = `{"${name}":{"polluted":1}}`
    return [
      polluting,
      `{"text":"x","anything":[{"a":${polluting}}]}`,
      `{"nested":${polluting}}`,
      JSON.stringify({ anything: polluting }),
      JSON.stringify({ list: `[${polluting}]` })
    ]
  })
  await refuseAll(
    t,
    app,
    bodies.flatMap((payload) => bodyAttacks(payload, payload, undefined, 400))
  )
})

t.test('names of the object model in forms and XML', async (t) => {
  const app = await startTarget(t)
  const forms = [
    '__proto__[a]=1',
    'anything[__proto__][a]=1',
    'anything%5B__proto__%5D=1',
    '%5f_proto__=1',
    'text=x&constructor[prototype][a]=1',
    'prototype=1',
    'toString=1'
  ]
  const documents = reserved.flatMap((name) => [
    `<r><${name}>1</${name}></r>`,
    `<r><anything><${name}><a>1</a></${name}></anything></r>`
  ])
  await refuseAll(t, app, [
    ...forms.flatMap((payload) => bodyAttacks(payload, payload, form, 400)),
    ...documents.flatMap((payload) => bodyAttacks(payload, payload, xml, 400))
  ])
})

t.test('bodies beyond the limits', async (t) => {
  const app = await startTarget(t)
  const text = 'x'.repeat(110_000)
  await refuseAll(t, app, [
    ...bodyAttacks('large JSON', JSON.stringify({ text }), undefined, 413),
    ...bodyAttacks('large form', `text=${text}`, form, 413),
    ...bodyAttacks('large XML', `<r><text>${text}</text></r>`, xml, 413),
    ...bodyAttacks('many parameters', 'a=1&'.repeat(2000), form, 413),
    ...bodyAttacks('deep form', `a${'[a]'.repeat(100)}=1`, form, 400),
    ...bodyAttacks('deep XML', `<r>${'<a>'.repeat(levels)}${'</a>'.repeat(levels)}</r>`, xml, 400)
  ])
})

t.test('a list of a hundred thousand items', async (t) => {
  const app = await startTarget(t, { json: { limit: '5mb' } })
  const many = (item: string) => `[${Array.from({ length: 100_000 }, () => item).join()}]`
  const start = performance.now()
  await refuseAll(t, app, [
    ...bodyAttacks('numbers', many('1'), undefined, 400),
    ...bodyAttacks('lists', many('[]'), undefined, 400),
    ...bodyAttacks('not numbers', `{"numbers":${many('"x"')}}`, undefined, 422)
  ])
  t.ok(performance.now() - start < 20_000)
})

const documents = [
  '<a',
  '<a></b>',
  '<a/><b/>',
  'text',
  '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
  '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>',
  '<a>&x;</a>',
  '<a>&#0;</a>',
  '<a><text>&#xD800;</text></a>'
]

t.test('XML that is malformed or declares something', async (t) => {
  const app = await startTarget(t)
  await refuseAll(
    t,
    app,
    documents.flatMap((payload) => bodyAttacks(payload, payload, xml, 400))
  )
})

const types = [
  'text/plain',
  'text/html',
  'application/octet-stream',
  'multipart/form-data; boundary=x',
  'application/vnd.api+json',
  'image/png',
  'application/json; charset=latin1',
  'application/json; charset=utf-16',
  'x',
  'application/',
  ''
]

t.test('bodies of other types, charsets and encodings', async (t) => {
  const app = await startTarget(t)
  const encodings = ['gzip', 'br', 'deflate', 'zip', 'gzip, gzip'].map((encoding): Attack => ({
    title: encoding,
    method: 'POST',
    url: '/api/Things',
    headers: { 'content-type': 'application/json', 'content-encoding': encoding },
    payload: '{"text":"x"}'
  }))
  await refuseAll(t, app, [...types.flatMap((type) => bodyAttacks(type, '{"text":"x"}', type, 415)), ...encodings])
})

t.test('lists where one record is wanted', async (t) => {
  const app = await startTarget(t)
  const single = ['[]', '[{}]', '[{"text":"x"}]'].flatMap((payload) => bodyAttacks(payload, payload, undefined, 400))
  await refuseAll(
    t,
    app,
    single.filter(({ method, url }) => !(method === 'POST' && url === '/api/Things'))
  )
})

t.test('an empty body of any type is no body', async (t) => {
  const app = await startTarget(t)
  for (const type of ['application/json', form, xml, 'text/plain', 'application/x-unknown']) {
    const answer = await app.inject({
      method: 'PATCH',
      url: '/api/Things/1',
      headers: { 'content-type': type },
      payload: ''
    })
    t.equal(answer.statusCode, 200, type)
    t.match(answer.json(), { text: 'first', id: 1 })
  }
})

t.test('JSON null is refused where a record is changed', async (t) => {
  const app = await startTarget(t)
  const changing = bodyAttacks('null', 'null', undefined, 400).filter(({ url }) =>
    String(url).startsWith('/api/Things/1')
  )
  t.equal(changing.length, 3)
  await refuseAll(t, app, changing)
})

t.test('a record with undeclared names that mean something to instances is stored as data', async (t) => {
  const app = await startTarget(t)
  const data = { save: 1, toJSON: 'x', isNewRecord: true, getId: 5, destroy: {}, modelType: 1, length: 7 }
  const created = await app.inject({ method: 'POST', url: '/api/Things', payload: data })
  t.match(created.json(), { ...data, id: 2 })
  for (const request of [
    { method: 'PATCH', payload: { text: 'y' } },
    { method: 'GET' },
    { method: 'DELETE' }
  ] as const) {
    const answer = await app.inject({ url: '/api/Things/2', ...request })
    t.equal(answer.statusCode, 200, request.method)
  }
  t.equal(writes.length, 9)
})
