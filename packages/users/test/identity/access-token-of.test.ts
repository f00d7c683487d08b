import t from 'tap'
import { accessTokenOf } from '#src/index.ts'
import { enter, makeApp } from '../make-app.ts'

void t.test('hooks find the token of the caller in the options', async (t) => {
  const app = await makeApp(t)
  const ann = await enter(app, 'ann@shop.org')
  const seen: unknown[] = []
  app.models.get('Customer').observe('after save', ({ options }) => {
    seen.push(accessTokenOf(options)?.userId)
  })
  await ann.ask('PATCH', `/Customers/${ann.id}`, { nick: 'Ann' })
  t.strictSame(seen, [ann.id])
})

void t.test('what is no token is none', async (t) => {
  for (const accessToken of [undefined, null, 'x', { id: 'x' }]) t.equal(accessTokenOf({ accessToken }), undefined)
})
