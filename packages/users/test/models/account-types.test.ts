import { memory } from '@modelwire/connector-memory'
import { defineModel, modelwire, type ModelsOf } from '@modelwire/core'
import { Type } from '@sinclair/typebox'
import { acl } from '@modelwire/acl'
import Fastify from 'fastify'
import t from 'tap'
import { users } from '#src/index.ts'

const models = {
  Agent: defineModel('Agent', Type.Object({ nick: Type.String() }), { base: 'User', saltWorkFactor: 4 })
}
type Models = ModelsOf<typeof models>

// Never called: these lines only have to compile, or must not.
export async function checkTypes({ Agent }: Models): Promise<void> {
  const agent = await Agent.create({ nick: 'a', email: 'a@b.org', password: 'secret' })
  const isRight: boolean = await agent.hasPassword(agent.email)
  const token = await Agent.login({ email: 'a@b.org', password: 'secret' })
  const [id, ttl]: [string, number] = [token.id, token.ttl]
  // @ts-expect-error an account needs a password
  await Agent.create({ nick: `${isRight}${id}${ttl}`, email: 'a@b.org' })
  await Agent.find({ where: { email: 'a@b.org' }, order: 'username DESC' })
}

t.test('types of accounts name methods that accounts have', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: memory() } })
  await app.register(acl)
  await app.register(users)
  const Account = app.models.get('User')
  for (const name of ['login', 'logout', 'confirm', 'resetPassword', 'changePassword', 'setPassword'])
    t.type(Reflect.get(Account, name), 'function', name)
  for (const name of ['hasPassword', 'createAccessToken', 'changePassword', 'setPassword', 'verify'])
    t.type(Reflect.get(Account.prototype as object, name), 'function', name) // a class has a prototype
})
