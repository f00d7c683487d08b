import { memory } from '@modelwire/connector-memory'
import { modelwire, type OperationContext } from '@modelwire/core'
import Fastify from 'fastify'
import t from 'tap'
import { rest } from '#src/index.ts'

/** What a hook after `find` has in the filter of the call. */
async function filterSeen(query: string, compat = true): Promise<unknown> {
  const app = Fastify()
  await app.register(modelwire, { dataSources: { db: memory() }, models: [{ name: 'Item', public: true }], compat })
  const seen: unknown[] = []
  app.models.remoteHooks.add('after', 'Item.find', async ({ args }: OperationContext) => {
    seen.push(args['filter'])
  })
  await app.register(rest, { prefix: '/api' })
  const { statusCode } = await app.inject(`/api/Items${query}`)
  await app.close()
  return statusCode === 200 ? seen[0] : statusCode
}

t.test('hooks after find have the page in its filter, as in LoopBack', async (t) => {
  t.same(await filterSeen('?filter[skip]=2&filter[limit]=3'), { skip: 2, limit: 3, offset: 2 })
  t.same(await filterSeen('?filter={"offset":2}'), { skip: 2, limit: 100, offset: 2 })
  t.same(await filterSeen('?filter={"limit":"5","order":"id"}'), { skip: 0, limit: 5, offset: 0, order: 'id' })
})

t.test('a filter without a page stays as it is, and a wrong one is refused', async (t) => {
  t.same(await filterSeen('?filter={"order":"id"}'), { order: 'id' })
  t.same(await filterSeen(''), undefined)
  t.equal(await filterSeen('?filter={"limit":"x"}'), 400)
  t.same(await filterSeen('?filter={"skip":2}', false), { skip: 2 })
})
