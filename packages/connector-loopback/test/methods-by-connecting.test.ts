import { modelwire } from '@modelwire/core'
import { rest } from '@modelwire/rest'
import Fastify from 'fastify'
import t from 'tap'
import { loopback } from '#src/loopback.ts'

// Connectors of services described elsewhere (WSDL, OpenAPI) know their functions when that description is read. They put them
// on their data source then, and on the models that were defined before.

type Callback = (error: unknown, result?: unknown) => void

/** What such a connector uses of its data source. */
interface Place {
  connector?: unknown
  DataAccessObject?: unknown
  connect: (callback: Callback) => unknown
  mixin: (model: unknown) => void
}

class Described {
  readonly name = 'described'
  readonly models: unknown[] = []
  readonly access: Record<string, unknown> = {}
  readonly DataAccessObject: unknown = this.access
  readonly #place: Place

  constructor(place: Place) {
    this.#place = place
  }

  connect(callback: Callback): void {
    setImmediate(() => {
      const price = ({ symbol }: { symbol: string }, done: Callback): void => done(null, { price: symbol.length })
      const accepts = [{ arg: 'input', type: 'object', http: { source: 'body' } }]
      const shared = { shared: true, accepts, returns: { arg: 'output', type: 'object', root: true } }
      this.access['price'] = Object.assign(price, shared)
      this.#place.DataAccessObject = this.access
      for (const model of this.models) this.#place.mixin(model)
      callback(null)
    })
  }

  define({ model }: { model: unknown }): void {
    this.models.push(model)
  }
}

const described = {
  made: undefined as Described | undefined,
  initialize(place: Place, callback: Callback): void {
    this.made = new Described(place)
    place.connector = this.made
    place.connect(callback)
  }
}

void t.test('functions that a connector learns by connecting are methods of the models and shared', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, {
    dataSources: { stocks: loopback(described, { name: 'stocks' }) },
    models: [{ name: 'Stock', base: 'Model', public: true, dataSource: 'stocks' }]
  })
  await app.models.connect()
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  const answer = await app.inject({ method: 'POST', url: '/api/Stocks/price', payload: { symbol: 'ABCD' } })
  t.equal(answer.statusCode, 200)
  t.same(answer.json(), { price: 4 })
  const [model] = described.made?.models ?? []
  t.type(
    Reflect.get(Object(model), 'price'),
    'function',
    'the connector finds its function on the model that it was told of'
  )
})
