import t from 'tap'
import { configuredDefinition, fixedOptions } from '#src/members/definition/configured-definition.ts'

const book = {
  name: 'Book',
  strict: true,
  remoting: { sharedMethods: { find: false } },
  relations: { author: { type: 'belongsTo', model: 'Author' } },
  acls: [{ permission: 'DENY' as const }]
}

void t.test('a model without an entry is not public and has no data source', async (t) => {
  t.match(configuredDefinition(book, undefined), { public: false, dataSource: null, remoting: {} })
})

void t.test('public is the default of an entry', async (t) => {
  t.match(configuredDefinition(book, { dataSource: 'db' }), { public: true, dataSource: 'db' })
  t.match(configuredDefinition(book, { dataSource: null, public: false }), { public: false, dataSource: null })
  t.match(configuredDefinition(book, { dataSource: false }), { dataSource: null })
})

void t.test('remoting of the model file has no effect, that of the entry has', async (t) => {
  t.strictSame(configuredDefinition(book, {})['remoting'], {})
  const entry = { options: { remoting: { sharedMethods: { '*': false } } } }
  t.strictSame(configuredDefinition(book, entry)['remoting'], { sharedMethods: { '*': false } })
})

void t.test('options win over the model, relations are added', async (t) => {
  const configured = configuredDefinition(book, {
    options: { strict: false, own: 1, base: 'Other' },
    relations: { author: { foreignKey: 'writerId' }, shop: { type: 'belongsTo', model: 'Shop' } }
  })
  t.match(configured, { strict: false, own: 1, acls: [{ permission: 'DENY' }] })
  t.notOk(configured.base)
  t.strictSame(configured.relations, {
    author: { type: 'belongsTo', model: 'Author', foreignKey: 'writerId' },
    shop: { type: 'belongsTo', model: 'Shop' }
  })
})

void t.test('knows options that cannot be replaced', async (t) => {
  t.strictSame(fixedOptions({ options: { base: 'x', strict: true, mixins: {} } }), ['base', 'mixins'])
})

void t.test('methods of instances are named so, whichever way they are declared', async (t) => {
  const methods = { a: { isStatic: false }, b: { isStatic: true }, 'prototype.c': { isStatic: false }, d: {} }
  t.strictSame(Object.keys(configuredDefinition({ name: 'Book', methods }, {}).methods ?? {}), [
    'prototype.a',
    'b',
    'prototype.c',
    'd'
  ])
})

void t.test('an entry changes a relation of the base in part', (t) => {
  const inherited = { accessTokens: { type: 'hasMany', model: 'AccessToken', foreignKey: 'userId' } } as const
  const entry = { relations: { accessTokens: { type: 'hasMany', model: 'Token' } } } as const
  const { relations } = configuredDefinition({ name: 'Member', base: 'User' }, entry, inherited)
  t.strictSame(relations, { accessTokens: { type: 'hasMany', model: 'Token', foreignKey: 'userId' } })
  t.end()
})
