import { memory } from '@modelwire/connector-memory'
import { type FakeStore, makeFakeStore, until } from '@modelwire/test-waits'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { modelwire } from '@modelwire/core'
import { followChanges } from '#src/caches/follow-changes.ts'

async function serve(t: Test, fake: FakeStore): Promise<FastifyInstance> {
  const app = Fastify()
  await app.register(modelwire, {
    dataSources: { db: memory() },
    models: [{ name: 'Thing', properties: { name: 'string' } }],
    sharedState: fake.join()
  })
  await app.ready()
  t.teardown(() => app.close())
  return app
}

t.test('a cache forgets what this process and others change', async (t) => {
  const fake = makeFakeStore()
  const [one, other] = [await serve(t, fake), await serve(t, fake)]
  const forgotten: string[] = []
  for (const [name, { models }] of Object.entries({ one, other }))
    followChanges(models, {
      model: 'Thing',
      keyOf: ({ id }) => (id === undefined ? undefined : String(id)),
      forget: (key) => forgotten.push(`${name} ${key}`)
    })
  await one.models.get('Thing').create({ name: 'a' })
  t.strictSame(forgotten, ['one 1'], 'at once')
  await until(() => forgotten.length === 2, 'the other process')
  t.equal(forgotten[1], 'other 1')
  await other.models.get('Thing').updateAll({}, { name: 'b' })
  await until(() => forgotten.length === 4, 'both')
  t.strictSame(forgotten.slice(2).toSorted(), ['one undefined', 'other undefined'])
  fake.loseMessages()
  t.strictSame(forgotten.slice(4).toSorted(), ['one undefined', 'other undefined'], 'messages may have been lost')
})
