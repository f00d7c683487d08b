import { memory } from '@modelwire/connector-memory'
import { modelwire } from '@modelwire/core'
import Fastify from 'fastify'
import t from 'tap'
import { rowsCondition } from '#src/rows/rows-condition.ts'

t.test('the key of a test is exact where JSON holds all of its condition', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  const models = [{ name: 'Thing', properties: { label: 'string', day: 'date' } }] as const
  await app.register(modelwire, { dataSources: { db: memory() }, models })
  const thing = app.models.typeOf('Thing')
  const keyOf = async (where: Readonly<Record<string, unknown>> | undefined) => {
    const test = await (await rowsCondition(thing, where)).testRows()
    return { key: test?.key, isExact: test?.hasExactKey }
  }
  for (const where of [undefined, {}, { label: 'a' }, { or: [{ label: { inq: ['a', null] } }] }])
    t.match(await keyOf(where), { isExact: true })
  const [first, second] = [await keyOf({ label: /^a/ }), await keyOf({ label: /^b/ })]
  t.strictSame([first.isExact, second.isExact], [false, false])
  t.not(first.key, second.key, 'the keys of different regular expressions differ')
  t.match(await keyOf({ day: new Date(0) }), { isExact: false })
})
