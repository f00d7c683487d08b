import { memory } from '@modelwire/connector-memory'
import { modelwire } from '@modelwire/core'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { rest, type RestOptions } from '#src/index.ts'

async function serve(t: Test, methods: Record<string, Record<string, unknown>>, options: RestOptions = {}) {
  const app = Fastify()
  t.teardown(() => app.close())
  const models = [
    { name: 'Bench', base: 'Model', public: true, methods },
    { name: 'Secret', public: false }
  ]
  await app.register(modelwire, { dataSources: { db: memory() }, models })
  await app.register(rest, { prefix: '/api', ...options })
  return app
}

t.test('a method at GET may name the body as the source of an argument', async (t) => {
  const data = { arg: 'data', type: 'object', http: { source: 'body' } }
  const app = await serve(t, { look: { accepts: data, returns: { arg: 'seen', type: 'any' }, http: { verb: 'get' } } })
  Object.assign(app.models.get('Bench'), { look: () => 'something' })
  t.strictSame((await app.inject('/api/Benches/look')).json(), { seen: 'something' })
})

const mountOf = ({ models: { mounts } }: FastifyInstance) => {
  const [mount] = mounts
  if (mount === undefined) throw new Error('rest told of no mount')
  return { ...mount, routes: mount.routes.map(({ verb, path }) => `${verb} ${path}`) }
}

t.test('the registry is told what is mounted, and how it answers', async (t) => {
  const methods = { one: { http: { verb: 'get' } }, two: { http: { verb: 'post' } } }
  t.strictSame(mountOf(await serve(t, methods, { sharedMethods: { two: false } })), {
    prefix: '/api',
    routes: ['GET /Benches/one', 'HEAD /Benches/one'],
    answers: ['application/json', 'application/javascript', 'text/javascript'],
    errorMember: 'error',
    problemType: 'application/problem+json',
    listTags: false,
    createdStatus: 200
  })
  const plain: RestOptions = { supportedTypes: ['application/vnd.api+json', 'json'], errors: { rootProperty: false } }
  t.match(mountOf(await serve(t, methods, plain)), {
    answers: ['application/vnd.api+json', 'application/json'],
    errorMember: undefined,
    problemType: 'application/problem+json',
    listTags: false,
    idempotencyKeys: undefined,
    batch: undefined
  })
})
