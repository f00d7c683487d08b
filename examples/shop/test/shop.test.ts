import t from 'tap'
import { models } from '#src/models.ts'
import { buildServer } from '#src/server.ts'

t.test('every model is filled, and clients see as many records as code does', async (t) => {
  const app = await buildServer()
  t.teardown(() => app.close())
  for (const name of Object.keys(models)) {
    const { httpPath, modelClass } = app.models.typeOf(name)
    const count = await modelClass.count()
    t.ok(count > 0, name)
    t.same((await app.inject(`/api/${httpPath}/count`)).json(), { count })
  }
})

t.test('what the shop pays for a product is never sent, and cannot be asked for', async (t) => {
  const app = await buildServer()
  t.teardown(() => app.close())
  const [first] = await app.models.Product.find({ limit: 1 })
  t.equal(first?.purchasePrice, 11.2)
  t.notMatch((await app.inject('/api/Products/1')).body, /purchasePrice/)
  const asked = await app.inject('/api/Products?filter[where][purchasePrice][lt]=20')
  t.match(asked.json(), { error: { statusCode: 400, code: 'HIDDEN_PROPERTY_IN_FILTER' } })
})

t.test('clients cannot set the total of an order', async (t) => {
  const app = await buildServer()
  t.teardown(() => app.close())
  const payload = { customerId: 1, total: 1, lines: [{ productId: 3, quantity: 3 }] }
  t.match((await app.inject({ method: 'POST', url: '/api/Orders', payload })).json(), { id: 3, total: 56.7 })
  const patch = (change: object) => app.inject({ method: 'PATCH', url: '/api/Orders/3', payload: change })
  t.match((await patch({ total: 1, status: 'paid' })).json(), { status: 'paid', total: 56.7 })
  t.match((await patch({ lines: [{ productId: 3, quantity: 1 }] })).json(), { status: 'paid', total: 18.9 })
})

t.test('orders without proper lines are refused', async (t) => {
  const app = await buildServer()
  t.teardown(() => app.close())
  for (const lines of [undefined, [], [{ productId: 1 }], [{ productId: 1, quantity: 0 }]]) {
    const response = await app.inject({ method: 'POST', url: '/api/Orders', payload: { customerId: 1, lines } })
    t.equal(response.statusCode, 422)
  }
})
