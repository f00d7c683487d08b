import { OperationContext } from '@modelwire/core'
import { operationsOf } from '@modelwire/core/plugin'
import { fillDefaults } from '@modelwire/server'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { UsersOptionsSchema } from '#src/options.ts'
import { callerCheck } from '#src/identity/authenticate-request.ts'
import { tokenReader } from '#src/identity/read-token.ts'
import { enter, makeApp } from '../make-app.ts'

/** The check of an application. */
function checkOf({ models }: FastifyInstance): ReturnType<typeof callerCheck> {
  const model = models.typeOf('AccessToken')
  return callerCheck(() => model, tokenReader(models, model, fillDefaults(UsersOptionsSchema, {})))
}

/** Asks what a call that goes on asks: whether the token that it came with is still good. */
async function makeCheck(app: FastifyInstance, token: string): Promise<() => Promise<void>> {
  const accessToken = await app.models.get('AccessToken').findById(token)
  const [operation] = operationsOf(app.models.typeOf('Order'))
  const context = new OperationContext(operation ?? ({} as never), { options: { accessToken } }) // it is not looked at
  const check = checkOf(app)
  return async () => check(context)
}

t.test('a token that is there and young is good', async (t) => {
  const app = await makeApp(t)
  const { token } = await enter(app, 'ann@example.com')
  const check = await makeCheck(app, token)
  await t.resolves(check())
})

t.test('a token is no good after logout', async (t) => {
  const app = await makeApp(t)
  const person = await enter(app, 'ann@example.com')
  const check = await makeCheck(app, person.token)
  await person.ask('POST', '/Customers/logout')
  await t.rejects(check(), { code: 'INVALID_TOKEN' })
})

t.test('a token is no good when its time is over', async (t) => {
  const app = await makeApp(t)
  const person = await enter(app, 'ann@example.com')
  const check = await makeCheck(app, person.token)
  await app.models.get('AccessToken').updateAll({ id: person.token }, { created: new Date(0) })
  await t.rejects(check(), { code: 'INVALID_TOKEN' })
})

t.test('tokens of others are not judged', async (t) => {
  const app = await makeApp(t)
  const check = checkOf(app)
  const [operation] = operationsOf(app.models.typeOf('Order'))
  for (const accessToken of [undefined, { id: 'x' }]) {
    const context = new OperationContext(operation ?? ({} as never), { options: { accessToken } }) // as above
    await t.resolves(Promise.resolve(check(context)))
  }
})
