import t from 'tap'
import { product, send, startApp } from './start-app.ts'

const bodies: readonly (readonly [type: string, payload: string])[] = [
  ['application/json', '{"name":"Lamp","price":3}'],
  ['application/xml', '<product><name>Lamp</name><price>3</price></product>'],
  ['application/x-www-form-urlencoded', 'name=Lamp&price=3']
]

for (const [type, payload] of bodies) {
  void t.test(`POST, PUT and PATCH take bodies of ${type}`, async (t) => {
    const app = startApp(t, { models: [product] })
    for (const [method, url] of [
      ['POST', '/api/Products'],
      ['PUT', '/api/Products/1'],
      ['PATCH', '/api/Products/1']
    ] as const) {
      const answer = await app.inject({ method, url, payload, headers: { 'content-type': type } })
      t.strictSame([answer.statusCode, answer.json()], [200, { name: 'Lamp', price: 3, id: 1 }], method)
    }
  })
}

void t.test('Accept states the format of the answer, JSON or XML', async (t) => {
  const app = startApp(t, { models: [product], rest: { answersXml: true } })
  await send(app, 'POST /Products', { name: 'Lamp' })
  const answer = (accept: string) => app.inject({ url: '/api/Products/1', headers: { accept } })
  const [json, xml] = [await answer('application/json'), await answer('application/xml')]
  t.match(json.headers['content-type'], /^application\/json/)
  t.match(xml.headers['content-type'], /^application\/xml/)
  t.match(xml.body, /<response>\s*<name>Lamp<\/name>\s*<id>1<\/id>\s*<\/response>/)
})

void t.test('application/vnd.api-json is answered when it is among the supported types', async (t) => {
  const ask = async (rest: object) => {
    const app = startApp(t, { models: [product], rest })
    return app.inject({ url: '/api/Products', headers: { accept: 'application/vnd.api-json' } })
  }
  const supported = await ask({ supportedTypes: ['application/json', 'application/vnd.api-json'] })
  t.match(supported.headers['content-type'], /^application\/vnd\.api-json/)
  t.equal(supported.body, '[]')
  t.equal((await ask({})).statusCode, 406)
})

void t.test('answers are an object, a list, or empty', async (t) => {
  const methods = { touch: { http: { path: '/touch', verb: 'post' } } }
  const app = startApp(t, { models: [{ ...product, methods }] })
  await app.after()
  Object.assign(app.models.get('Product'), { touch: async () => undefined })
  t.strictSame(await send(app, 'POST /Products', { name: 'Lamp' }), [200, { name: 'Lamp', id: 1 }])
  t.strictSame(await send(app, 'GET /Products'), [200, [{ name: 'Lamp', id: 1 }]])
  t.strictSame(await send(app, 'POST /Products/touch'), [204, undefined])
  t.strictSame(await send(app, 'HEAD /Products/1'), [200, undefined])
})

const filters: readonly string[] = [
  'filter={"where":{"price":{"inq":[3,5]},"name":"Lamp"}}',
  'filter[where][price][inq][0]=3&filter[where][price][inq][1]=5&filter[where][name]=Lamp',
  'filter%5Bwhere%5D%5Bprice%5D%5Binq%5D%5B0%5D=3&filter%5Bwhere%5D%5Bname%5D=Lamp'
]

void t.test('a filter is accepted in brackets and as JSON', async (t) => {
  const app = startApp(t, { models: [product] })
  await send(app, 'POST /Products', [
    { name: 'Lamp', price: 3 },
    { name: 'Lamp', price: 4 },
    { name: 'Desk', price: 3 }
  ])
  for (const filter of filters)
    t.strictSame(await send(app, `GET /Products?${filter}`), [200, [{ name: 'Lamp', price: 3, id: 1 }]], filter)
})

void t.test('a record carries its properties and its id', async (t) => {
  const app = startApp(t, { models: [product] })
  await send(app, 'POST /Products', { name: 'Lamp', price: 3, extra: true })
  t.strictSame(await send(app, 'GET /Products/1'), [200, { name: 'Lamp', price: 3, id: 1, extra: true }])
})
