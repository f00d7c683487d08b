import { memory } from '@modelwire/connector-memory'
import { modelwire } from '@modelwire/core'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { rest, type RestOptions } from '#src/index.ts'

const records = 6000

/** A server of large records: their list has more than a megabyte. */
async function makeApp(t: Test, answer: RestOptions['answer'] = {}): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  const models = [{ name: 'Item', public: true, properties: { text: 'string', at: 'date' } }]
  await app.register(modelwire, { dataSources: { db: memory() }, models })
  await app.register(rest, { prefix: '/api', answersXml: true, answersJsonp: true, answer })
  await app.ready()
  const text = 'text "of" an item '.repeat(15)
  await app.models.get('Item').create(Array.from({ length: records }, () => ({ text, at: new Date(0) })))
  return app
}

/** How often other work has its turn during `work`. */
async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let next = setImmediate(function turn() {
    turns++
    next = setImmediate(turn)
  })
  await work()
  clearImmediate(next)
  return turns
}

const observe = (app: FastifyInstance): void => app.models.get('Item').observe('loaded', async () => {})

for (const [kind, prepare] of Object.entries({ rows: () => {}, instances: observe })) {
  void t.test(`${kind}: a long list is written in parts, between which others have their turn`, async (t) => {
    const app = await makeApp(t)
    prepare(app)
    const small = await countTurns(() => app.inject('/api/Items?filter={"limit":1}'))
    let body = ''
    const large = await countTurns(async () => void (body = (await app.inject('/api/Items')).body))
    t.ok(large - small >= Math.floor(body.length / 131_072), `${large} turns, ${small} for one record`)
    const list = JSON.parse(body)
    t.equal(list.length, records)
    t.same(list.at(-1), { ...list[0], id: records }, 'nothing is left out at the seams')
    t.same(
      list.map(({ id }: { id: number }) => id),
      Array.from({ length: records }, (_, at) => at + 1)
    )
  })

  void t.test(`${kind}: a list that is too long is refused after some parts of it`, async (t) => {
    const app = await makeApp(t, { bytes: 1_000_000 })
    prepare(app)
    const refused = await app.inject('/api/Items')
    t.equal(refused.statusCode, 400)
    t.match(refused.json(), { error: { code: 'ANSWER_TOO_LARGE', message: /1000000 bytes.*"answer.bytes"/ } })
    t.equal((await app.inject('/api/Items?filter={"limit":10}')).statusCode, 200)
  })
}

void t.test('long lists are the same as scripts and for clients that close the connection', async (t) => {
  const app = await makeApp(t)
  const { body } = await app.inject('/api/Items')
  const script = await app.inject({ url: '/api/Items?callback=show', headers: { accept: 'application/javascript' } })
  t.match(script.headers['content-type'], /javascript/)
  t.ok(script.body.includes(body))
  const closing = await app.inject({ url: '/api/Items', headers: { connection: 'close' } })
  t.equal(closing.body, body)
})
