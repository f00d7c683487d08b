import t from 'tap'
import { product, send, startApp } from './start-app.ts'

/** One call per endpoint of section 4.2, in an order in which each finds what it needs. */
const endpoints: readonly (readonly [
  name: string,
  call: string,
  payload: object | undefined,
  status: number,
  body: unknown
])[] = [
  ['create', 'POST /Products', { name: 'Lamp', price: 10 }, 200, { name: 'Lamp', price: 10, id: 1 }],
  ['create of a list', 'POST /Products', [{ name: 'Chair' }], 200, [{ name: 'Chair', id: 2 }]],
  ['replaceOrCreate', 'PUT /Products', { id: 1, name: 'Lamp', price: 11 }, 200, { name: 'Lamp', price: 11, id: 1 }],
  ['patchOrCreate', 'PATCH /Products', { id: 1, price: 12 }, 200, { name: 'Lamp', price: 12, id: 1 }],
  ['exists', 'GET /Products/1/exists', undefined, 200, { exists: true }],
  ['exists of a missing record', 'GET /Products/9/exists', undefined, 200, { exists: false }],
  ['findById', 'GET /Products/1', undefined, 200, { name: 'Lamp', price: 12, id: 1 }],
  ['findById with a filter', 'GET /Products/1?filter={"fields":["name"]}', undefined, 200, { name: 'Lamp' }],
  ['find', 'GET /Products?filter={"where":{"price":12}}', undefined, 200, [{ name: 'Lamp', price: 12, id: 1 }]],
  ['findOne', 'GET /Products/findOne?filter={"order":"id DESC"}', undefined, 200, { name: 'Chair', id: 2 }],
  ['count', 'GET /Products/count?where={"price":12}', undefined, 200, { count: 1 }],
  ['replaceById', 'PUT /Products/1', { name: 'Desk' }, 200, { name: 'Desk', id: 1 }],
  ['patchAttributes', 'PATCH /Products/1', { price: 13 }, 200, { name: 'Desk', price: 13, id: 1 }],
  ['updateAll', 'POST /Products/update?where={"name":"Chair"}', { price: 5 }, 200, { count: 1 }],
  [
    'replaceOrCreate by POST',
    'POST /Products/replaceOrCreate',
    { id: 2, name: 'Stool' },
    200,
    { name: 'Stool', id: 2 }
  ],
  ['replaceById by POST', 'POST /Products/2/replace', { name: 'Bench' }, 200, { name: 'Bench', id: 2 }],
  ['deleteById', 'DELETE /Products/2', undefined, 200, { count: 1 }],
  ['deleteById of a missing record', 'DELETE /Products/2', undefined, 200, { count: 0 }]
]

void t.test('the predefined endpoints of a public model answer at their verb and path', async (t) => {
  const app = startApp(t, { models: [product], rest: { sharedMethods: { updateAll: true } } })
  for (const [name, call, payload, status, body] of endpoints)
    t.strictSame(await send(app, call, payload), [status, body], name)
})

const named = (name: string, more: object) => ({ ...product, ...more, name })

void t.test('paths are the prefix and the plural of the model, or the plural that it states', async (t) => {
  const app = startApp(t, {
    models: [
      product,
      named('Person', {}),
      named('Box', { plural: 'crates' }),
      named('Key', { http: { path: 'locks' } })
    ]
  })
  for (const path of ['/Products', '/People', '/crates', '/locks'])
    t.strictSame(await send(app, `GET ${path}`), [200, []], path)
  t.equal((await send(app, 'GET /Boxes'))[0], 404)
})

/** PUT and PATCH with a part of a record: replaced it lacks its name, so that it is refused. */
const partly = { price: 2 }
const putCases: readonly (readonly [title: string, version: 2 | 3, model: object, status: number])[] = [
  ['version 3 replaces', 3, {}, 422],
  ['version 2 updates in part', 2, {}, 200],
  ['replaceOnPUT true replaces in version 2', 2, { replaceOnPUT: true }, 422],
  ['replaceOnPUT false updates in part in version 3', 3, { replaceOnPUT: false }, 200]
]

for (const [title, version, model, status] of putCases) {
  void t.test(`PUT: ${title}`, async (t) => {
    const app = startApp(t, { models: [{ ...product, ...model }], core: { version } })
    await send(app, 'POST /Products', { name: 'Lamp', price: 1 })
    t.equal((await send(app, 'PUT /Products/1', partly))[0], status, 'by id')
    t.equal((await send(app, 'PUT /Products', { id: 1, ...partly }))[0], status, 'of the collection')
    t.strictSame(await send(app, 'PATCH /Products/1', partly), [200, { name: 'Lamp', price: 2, id: 1 }], 'PATCH')
  })
}

for (const version of [2, 3] as const) {
  void t.test(`the endpoints for both versions mean the same in version ${version}`, async (t) => {
    const app = startApp(t, { models: [product], core: { version } })
    await send(app, 'POST /Products', { name: 'Lamp', price: 1 })
    t.equal((await send(app, 'POST /Products/1/replace', partly))[0], 422)
    t.equal((await send(app, 'POST /Products/replaceOrCreate', { id: 1, ...partly }))[0], 422)
    t.strictSame(await send(app, 'PATCH /Products', { id: 1, ...partly }), [200, { name: 'Lamp', price: 2, id: 1 }])
    t.strictSame(await send(app, 'PATCH /Products/1', { price: 3 }), [200, { name: 'Lamp', price: 3, id: 1 }])
  })
}
