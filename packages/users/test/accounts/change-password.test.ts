import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import t, { type Test } from 'tap'
import { ask, codeOf, enter, makeApp } from '../make-app.ts'

/** An application with a customer, and what sets a password by one token of a reset. */
async function makeReset(
  t: Test
): Promise<{ app: FastifyInstance; set: (newPassword: string) => Promise<LightMyRequestResponse> }> {
  const tokens: string[] = []
  const app = await makeApp(t, {
    customer: { restrictResetPasswordTokenScope: true },
    users: { onResetRequest: ({ accessToken: { id } }) => tokens.push(String(id)) }
  })
  await enter(app, 'ann@shop.org')
  await ask(app, 'POST', '/Customers/reset', { email: 'ann@shop.org' })
  const headers = { authorization: tokens[0] ?? '' }
  const url = '/api/Customers/reset-password'
  return { app, set: (newPassword) => app.inject({ method: 'POST', url, headers, payload: { newPassword } }) }
}

void t.test('the token of a reset sets one password, however many requests come with it at once', async (t) => {
  const { app, set } = await makeReset(t)
  const answers = await Promise.all(['one', 'two', 'three'].map(set))
  for (const [status, count] of [
    [204, 1],
    [401, 2]
  ])
    t.equal(answers.filter(({ statusCode }) => statusCode === status).length, count)
  t.equal((await set('four')).statusCode, 401)
  const logins = ['one', 'two', 'three', 'four'].map((password) =>
    ask(app, 'POST', '/Customers/login', { email: 'ann@shop.org', password })
  )
  t.equal((await Promise.all(logins)).filter(({ statusCode }) => statusCode === 200).length, 1)
})

void t.test('a password that is refused leaves the token of a reset as it was', async (t) => {
  const { set } = await makeReset(t)
  t.equal(codeOf(await set('x'.repeat(73))), 'PASSWORD_TOO_LONG')
  t.equal((await set('fresh')).statusCode, 204)
  t.equal((await set('again')).statusCode, 401)
})
