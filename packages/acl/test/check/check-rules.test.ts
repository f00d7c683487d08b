import { defineInstanceOperation, defineOperation } from '@modelwire/core'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { deny, makeApp, rule } from '../make-app.ts'

const thing = (acls: object[], more: object = {}) => ({
  name: 'Thing',
  plural: 'things',
  properties: { label: 'string', userId: 'number' },
  acls: [deny, ...acls],
  ...more
})

const wrong: [object, string, RegExp][] = [
  [rule('$everyone', 'DENIED'), 'permission', /unknown permission "DENIED": use ALLOW, DENY/],
  [rule('$everyone', 'allow'), 'permission', /use ALLOW/],
  [rule('$everbody', 'ALLOW'), 'principalId', /unknown role "\$everbody": use/],
  [rule('$related', 'ALLOW'), 'principalId', /unknown role/],
  [rule('editor', 'ALLOW'), 'principalId', /undefined role "editor"/],
  [rule('$everyone', 'ALLOW', { property: 'fnd' }), 'property', /unknown method "fnd": use find/],
  [rule('$everyone', 'ALLOW', { property: ['find', 'cuont'] }), 'property.1', /"cuont": use count/],
  [rule('$everyone', 'ALLOW', { property: 'prototype.patchAttributes' }), 'property', /use patchAttributes/],
  [
    rule('$everyone', 'ALLOW', { property: 'upsert' }),
    'property',
    /use another name for the method upsert: use patchOrCreate/
  ],
  [rule('$everyone', 'DENY', { property: [] }), 'property', /the list of methods is empty/],
  [rule('$everyone', 'ALLOW', { property: ['*'] }), 'property.0', /a list of methods cannot contain/],
  [rule('$everyone', 'ALLOW', { accessType: 'read' }), 'accessType', /use READ/],
  [{ principalType: 'ROLE', principalID: '$everyone', permission: 'ALLOW' }, 'principalID', /use principalId/],
  [{ principalId: '$everyone', permission: 'ALLOW' }, 'principalType', /has no principal/],
  [{ principalType: 'GROUP', principalId: 'x', permission: 'ALLOW' }, 'principalType', /unknown principalType "GROUP"/],
  [rule('$everyone', 'ALLOW', { rows: 'team.members' }), 'rows', /does not lead from Thing to a user model/],
  [rule('$everyone', 'ALLOW', { rows: 'parts' }), 'rows', /does not lead/],
  [rule('$everyone', 'DENY', { rows: '$owner' }), 'rows', /cannot be limited to a subset of records/],
  [rule('$everyone', 'ALLOW', { fields: ['label', 'titel'] }), 'fields.1', /Thing has no property "titel"/],
  [rule('$everyone', 'ALLOW', { fields: { except: ['x'] } }), 'fields.except.0', /no property "x"/],
  [rule('$everyone', 'ALLOW', { fields: { write: ['x'] } }), 'fields.write.0', /no property "x"/],
  [rule('$everyone', 'DENY', { fields: ['label'] }), 'fields', /cannot be limited to a subset of properties/]
]

for (const [written, key, message] of wrong) {
  void t.test(`the start ends at ${JSON.stringify(written)}`, async (t) => {
    const relations = { parts: { type: 'hasMany', model: 'Part', foreignKey: 'thingId' } }
    const app = await makeApp(t, [thing([written], { relations }), { name: 'Part', properties: { thingId: 'number' } }])
    const expected = { code: 'ACCESS_RULE_INVALID', where: { model: 'Thing', key: `acls.1.${key}` }, message }
    await t.rejects(async () => app.ready(), expected)
  })
}

void t.test('nobody can own records of which nothing says who owns them', async (t) => {
  for (const written of [rule('$owner', 'ALLOW'), rule('$everyone', 'ALLOW', { rows: '$owner' })]) {
    const app = await makeApp(t, [{ name: 'Thing', strict: true, properties: { label: 'string' }, acls: [written] }])
    await t.rejects(async () => app.ready(), {
      code: 'ACCESS_RULE_INVALID',
      message: /Thing has no property or relation for its owner/
    })
  }
})

void t.test('the error names all that is wrong', async (t) => {
  const app = await makeApp(t, [thing([rule('$everyone', 'ALOW'), rule('$everyone', 'ALLOW', { property: 'fnd' })])])
  await t.rejects(async () => app.ready(), { message: /"ALOW".*Thing acls\.2\.property: unknown method "fnd"/ })
})

void t.test('rules of a base are checked once, and may name methods of models that extend it', async (t) => {
  const acls = [deny, rule('$everyone', 'ALLOW', { property: 'lend' })]
  const base = { name: 'Thing', acls, public: false }
  const lend = { http: { verb: 'post' }, returns: { arg: 'ok', type: 'boolean' } }
  const app = await makeApp(t, [base, { name: 'Book', base: 'Thing', methods: { lend } }])
  await app.ready()
  t.ok(true)
})

void t.test('rows of a rule for a method without a record end the start', async (t) => {
  const appWith = (written: object): Promise<FastifyInstance> => {
    const prepare = ({ models }: FastifyInstance): void => {
      const Thing = models.get('Thing')
      defineOperation(Thing, { name: 'sum', verb: 'GET', handler: () => undefined })
      defineOperation(Thing, { name: 'sumOf', verb: 'GET', path: ':id/sum', handler: () => undefined })
      defineInstanceOperation(Thing, { name: 'close', handler: () => undefined })
    }
    return makeApp(t, [thing([written])], {}, { prepare })
  }
  const message = /the rule can never allow sum: which records the method reads is not known in advance/
  for (const [property, key] of [
    ['sum', 'property'],
    [['find', 'sum'], 'property.1']
  ] as const)
    await t.rejects(async () => (await appWith(rule('$everyone', 'ALLOW', { property, rows: '$owner' }))).ready(), {
      code: 'ACCESS_RULE_INVALID',
      where: { key: `acls.1.${key}` },
      message
    })
  for (const more of [
    { property: ['find', 'create', 'close', 'sumOf'], rows: '$owner' },
    { accessType: 'EXECUTE', rows: '$owner' },
    { property: 'sum', rows: () => ({}) },
    { property: 'sum' }
  ])
    await (await appWith(rule('$everyone', 'ALLOW', more))).ready()
})

void t.test('a role may be registered, stored, or named as one that will be stored', async (t) => {
  const acls = [rule('registered', 'ALLOW'), rule('stored', 'ALLOW'), rule('later', 'ALLOW')]
  const app = await makeApp(t, [thing(acls)], { roles: ['later'] })
  app.access.registerRole('registered', () => false)
  await app.models.get('Role').create({ name: 'stored' })
  await app.ready()
  const lacking = await makeApp(t, [thing(acls)], { roles: ['later'] })
  lacking.access.registerRole('registered', () => false)
  await t.rejects(async () => lacking.ready(), { message: /undefined role "stored"/ })
})

void t.test('a database that cannot say which roles it holds lets the application start, with a warning', async (t) => {
  const app = await makeApp(t, [thing([rule('stored', 'ALLOW')])])
  const { collection } = app.models.typeOf('Role')
  if (collection !== undefined)
    collection.find = () => {
      throw new Error('no such table')
    }
  const warned: unknown[] = []
  app.log.warn = (message: unknown) => void warned.push(message)
  await app.ready()
  t.match(warned, [/cannot check whether the database has the roles stored/])
})

void t.test('rules of a model that is only embedded are told at the start', async (t) => {
  const acls = [deny, rule('$owner', 'ALLOW')]
  const part = { name: 'Part', public: false, dataSource: null, properties: { label: 'string' } }
  const embeds = { relations: { part: { type: 'embedsOne', model: 'Part' } } }
  const holds = { properties: { label: 'string', parts: ['Part'] } }
  const warningsOf = async (inner: object, outer: object): Promise<unknown[]> => {
    const app = await makeApp(t, [{ ...part, ...inner }, thing([], outer)])
    const warned: unknown[] = []
    app.log.warn = (message: unknown) => void warned.push(message)
    await app.ready()
    return warned
  }
  for (const outer of [embeds, holds]) {
    t.match(await warningsOf({ acls }, outer), [/^acl: the rules of Part are never checked: it is only embedded/])
    t.strictSame(await warningsOf({}, outer), [])
  }
  t.strictSame(await warningsOf({ acls: [deny], dataSource: 'db' }, embeds), [])
  t.strictSame(await warningsOf({ acls: [deny] }, {}), [])
})
