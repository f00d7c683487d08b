import t from 'tap'
import { checkDefinition } from '#src/definition/check-definition.ts'
import type { ModelDefinition } from '#src/definition/model-definition.ts'
import { rulesOf } from '#src/rules.ts'

const check = (definition: unknown, version: 2 | 3 = 3): void =>
  checkDefinition(definition as ModelDefinition, rulesOf(version), { file: 'common/models/book.json' })

const complete = {
  name: 'Book',
  plural: 'tomes',
  http: { path: 'shelf', extra: true },
  base: 'PersistedModel',
  description: ['two', 'lines'],
  properties: {
    title: { type: 'string', required: true, mysql: { columnName: 't' } },
    year: 'number',
    tags: ['string']
  },
  relations: { author: { type: 'belongsTo', model: 'Author', foreignKey: 'writerId' } },
  acls: [{ principalType: 'ROLE', principalId: '$everyone', permission: 'DENY', property: ['find', 'create'] }],
  methods: { 'prototype.lend': { accepts: [], http: { path: '/lend', verb: 'post' } } },
  mixins: { TimeStamp: true, Gone: false },
  validations: [],
  strict: 'throw',
  idInjection: false,
  forceId: 'auto',
  replaceOnPUT: false,
  validateUpsert: null,
  automaticValidation: true,
  persistUndefinedAsNull: true,
  applyDefaultsOnReads: false,
  hidden: ['year'],
  protected: ['tags'],
  scope: { where: { year: 1 } },
  scopes: { old: { where: { year: { lt: 1900 } } } },
  indexes: { byYear: { keys: { year: 1 } } },
  public: true,
  dataSource: null,
  remoting: { sharedMethods: { '*': false, find: true } },
  options: { anything: 1 },
  ttl: 1209600,
  somethingOfAScript: { a: 1 }
}

t.test('every key of a model file is accepted, and so are unknown ones', async () => {
  check(complete)
  check({ name: 'Book', base: null })
})

const wrong: readonly (readonly [part: object, key: string])[] = [
  [{ name: undefined }, 'name'],
  [{ name: '' }, 'name'],
  [{ name: 5 }, 'name'],
  [{ plural: '' }, 'plural'],
  [{ plural: 1 }, 'plural'],
  [{ http: 'x' }, 'http'],
  [{ http: { path: 5 } }, 'http.path'],
  [{ base: 5 }, 'base'],
  [{ properties: [] }, 'properties'],
  [{ properties: 'x' }, 'properties'],
  [{ relations: { author: 'Author' } }, 'relations.author'],
  [{ relations: { author: { model: 'Author' } } }, 'relations.author.type'],
  [{ acls: {} }, 'acls'],
  [{ acls: [{ permission: 5 }] }, 'acls.0.permission'],
  [{ methods: [] }, 'methods'],
  [{ methods: { lend: true } }, 'methods.lend'],
  [{ mixins: ['TimeStamp'] }, 'mixins'],
  [{ strict: 'sometimes' }, 'strict'],
  [{ idInjection: 'no' }, 'idInjection'],
  [{ forceId: 'never' }, 'forceId'],
  [{ replaceOnPUT: 1 }, 'replaceOnPUT'],
  [{ hidden: 'year' }, 'hidden'],
  [{ hidden: [1] }, 'hidden.0'],
  [{ protected: {} }, 'protected'],
  [{ public: 'yes' }, 'public'],
  [{ dataSource: 5 }, 'dataSource'],
  [{ remoting: { sharedMethods: { find: 'yes' } } }, 'remoting.sharedMethods.find'],
  [{ properties: { constructor: 'string' } }, 'properties.constructor'],
  [{ properties: { hasOwnProperty: { type: 'string' } } }, 'properties.hasOwnProperty'],
  [{ properties: JSON.parse('{"__proto__":"string"}') as object }, 'properties.__proto__'],
  [{ properties: { prototype: 'string' } }, 'properties.prototype']
]

t.test('a wrong key is named with its model and file', async (t) => {
  for (const [part, key] of wrong) {
    const error = { code: 'MODEL_DEFINITION_INVALID', where: { key, file: 'common/models/book.json' } }
    t.throws(() => check({ name: 'Book', ...part }), error, JSON.stringify(part))
  }
})

t.test('the message says where the error is', async (t) => {
  t.throws(() => check({ name: 'Book', hidden: 'year' }), {
    message: /common\/models\/book\.json, model Book, key hidden/,
    where: { model: 'Book' },
    name: 'InvalidDefinition',
    statusCode: 500
  })
})

t.test('a definition must be an object', async (t) => {
  for (const definition of [null, undefined, 'Book', []]) {
    t.throws(() => check(definition), { code: 'MODEL_DEFINITION_INVALID' }, JSON.stringify(definition))
  }
})

t.test('a model may be named File in version 2 alone', async (t) => {
  t.throws(() => check({ name: 'File' }), { code: 'MODEL_NAME_RESERVED', where: { model: 'File', key: 'name' } })
  check({ name: 'File' }, 2)
})
