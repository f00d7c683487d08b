import t from 'tap'
import { enter, makeApp } from '../make-app.ts'

t.test('a logout needs a token that is known', async (t) => {
  const app = await makeApp(t)
  const { token } = await enter(app, 'ann@shop.org')
  const Customer = app.models.get('Customer')
  const logout: unknown = Reflect.get(Customer, 'logout')
  const logOut = async (id?: string): Promise<unknown> => Reflect.apply(logout as () => unknown, Customer, [id])
  await logOut(token)
  for (const id of [token, 'ghost', '', undefined])
    await t.rejects(logOut(id), { code: 'LOGOUT_WITHOUT_TOKEN', statusCode: 401 })
})

t.test('an address is not verified where nothing sends mail', async (t) => {
  const app = await makeApp(t)
  const { ask, id } = await enter(app, 'ann@shop.org')
  const answer = await ask('POST', `/Customers/${id}/verify`)
  t.match(answer.json(), { error: { statusCode: 501, code: 'MAIL_NOT_CONFIGURED' } })
})
