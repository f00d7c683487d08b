import { acl } from '@modelwire/acl'
import { memory } from '@modelwire/connector-memory'
import { modelwire } from '@modelwire/core'
import { accessTokenModel, userModel, users } from '@modelwire/users'
import Fastify from 'fastify'
import t from 'tap'
import { seed } from '#src/seeds/index.ts'
import { writeSeeds } from './make-shop.ts'

t.test('accounts are known by their addresses, and their passwords by their hashes', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  const definitions = [{ ...userModel(), caseSensitiveEmail: false }, accessTokenModel]
  await app.register(modelwire, { dataSources: { db: memory() }, models: definitions })
  await app.register(acl)
  await app.register(users)
  await app.ready()
  const dir = writeSeeds(t, {
    'Role.json': [{ name: 'editor' }],
    'RoleMapping.json': [
      {
        roleId: { $ref: 'Role', name: 'editor' },
        principalType: 'USER',
        principalId: { $ref: 'User', email: 'ann@example.org' }
      }
    ],
    'User.json': [{ email: 'Ann@Example.org', password: 'a quiet evening' }]
  })
  await seed(app, dir)
  const second = await seed(app, dir)
  t.same(
    second.models.map(({ model, unchanged }) => [model, unchanged]),
    [
      ['Role', 1],
      ['User', 1],
      ['RoleMapping', 1]
    ]
  )
  const account = await app.models.get('User').findOne({ where: { email: 'ann@example.org' } })
  await account?.patchAttributes({ password: 'another one' })
  const third = await seed(app, dir)
  t.match(
    third.records.find(({ model }) => model === 'User'),
    { action: 'changed', changes: ['password'] }
  )
})
