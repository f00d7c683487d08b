import t, { type Test } from 'tap'
import { makePurgeTokens } from '#src/tokens/purge-tokens.ts'
import { makeApp } from '../make-app.ts'

async function start(t: Test) {
  const app = await makeApp(t, { models: [{ name: 'Ticket', base: 'AccessToken', properties: {} }] })
  await app.ready()
  const add = async (model: string, id: string, ttl: number, age: number): Promise<void> => {
    await app.models.get(model).create({ id, ttl, created: new Date(Date.now() - age * 1000), userId: 1 })
  }
  const ids = async (model = 'AccessToken'): Promise<string[]> =>
    (await app.models.get(model).find({ order: 'id ASC' })).map(({ id }) => String(id))
  return { app, add, ids, purge: makePurgeTokens(app.models, 'AccessToken') }
}

t.test('tokens that have expired are removed, whatever their lifetime', async (t) => {
  const { app, add, ids, purge } = await start(t)
  await add('AccessToken', 'a-over', 10, 11)
  await add('AccessToken', 'b-alive', 10, 8)
  await add('AccessToken', 'c-over', 3600, 3601)
  await add('AccessToken', 'd-alive', 3600, 11)
  await add('AccessToken', 'e-eternal', -1, 1e6)
  await add('Ticket', 'f-over', 10, 11)
  await purge()
  t.strictSame(await ids(), ['b-alive', 'd-alive', 'e-eternal'])
  t.strictSame(await ids('Ticket'), [], 'also those of models that extend it')
  t.ok(app.models.purges.some(({ name }) => name === 'access tokens'))
})

t.test('more lifetimes than one run sees to are seen to by the next', async (t) => {
  const { add, ids, purge } = await start(t)
  for (let ttl = 1; ttl <= 150; ttl++) await add('AccessToken', `t${ttl}`, ttl, 1000)
  await purge()
  t.equal((await ids()).length, 50)
  await purge()
  t.equal((await ids()).length, 0)
})
