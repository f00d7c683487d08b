import t from 'tap'
import { explorer } from '#src/index.ts'
import { cellar, makeApp } from './make-app.ts'

// The setting is the process's.
process.env['NODE_ENV'] = 'production'

t.test('production has no explorer', async (t) => {
  const app = await makeApp(t, cellar)
  await app.register(explorer)
  t.equal((await app.inject('/explorer/')).statusCode, 404)
  t.equal((await app.inject('/explorer/swagger.json')).statusCode, 404)
})

t.test('production has one when it is asked for', async (t) => {
  const app = await makeApp(t, cellar)
  await app.register(explorer, { enabled: true })
  t.equal((await app.inject('/explorer/')).statusCode, 200)
})
