import t from 'tap'
import { memory } from '@modelwire/connector-memory'
import type { ModelDefinition } from '#src/definition/model-definition.ts'
import { ModelRegistry } from '#src/registry.ts'
import { resolveChildren } from '#src/relations/resolve-keys.ts'

/** The relations of the first model, as keys and models. */
function resolve(models: readonly ModelDefinition[], compat = false) {
  const registry = new ModelRegistry({ compat })
  registry.addDataSource('db', memory())
  for (const model of models) registry.define(model)
  for (const { name } of models) registry.attach(name, 'db')
  registry.relations.complete()
  const list = [...registry.typeOf(models[0]?.name ?? '').relations.values()]
  return {
    registry,
    relations: list.map(({ name, keyFrom, keyTo, to, through }) => ({
      name,
      keyFrom,
      keyTo,
      to: to?.name,
      through: through && [through.model.name, through.keyFrom, through.keyTo]
    }))
  }
}

const cases: readonly [string, object, object][] = [
  [
    'a key named after the relation',
    { boss: { type: 'belongsTo', model: 'Other' } },
    { keyFrom: 'bossId', keyTo: 'id' }
  ],
  [
    'a key named after the declaring model',
    { others: { type: 'hasMany', model: 'Other' } },
    { keyFrom: 'id', keyTo: 'bigThingId' }
  ],
  [
    'keys of the definition',
    { others: { type: 'hasOne', model: 'Other', foreignKey: 'fk', primaryKey: 'code' } },
    { keyFrom: 'code', keyTo: 'fk' }
  ],
  [
    'the usual keys where a definition names none but ""',
    { others: { type: 'hasMany', model: 'Other', foreignKey: '', primaryKey: '', through: '' } },
    { keyFrom: 'id', keyTo: 'bigThingId', through: undefined }
  ],
  [
    '… and the usual model',
    { other: { type: 'belongsTo', model: '', foreignKey: '' } },
    { keyFrom: 'otherId', to: 'Other' }
  ],
  ['the model that is called like the relation', { other: { type: 'belongsTo' } }, { to: 'Other' }],
  ['… in the singular', { others: { type: 'hasMany' } }, { to: 'Other' }],
  ['a model in other letters', { others: { type: 'hasMany', model: 'oTHER' } }, { to: 'Other' }],
  [
    'keys of a model between',
    { others: { type: 'hasMany', model: 'Other', through: 'Link' } },
    { through: ['Link', 'bigThingId', 'mineId'] }
  ],
  [
    'a model between that is made',
    { others: { type: 'hasAndBelongsToMany', model: 'Other' } },
    { through: ['BigThingOther', 'bigThingId', 'otherId'] }
  ],
  ['keys in a list', { others: { type: 'referencesMany', model: 'Other' } }, { keyFrom: 'otherIds', keyTo: 'id' }],
  ['a property for parts', { part: { type: 'embedsOne', model: 'Other' } }, { keyFrom: 'other' }],
  [
    'a property that is not called like the relation',
    { others: { type: 'embedsMany', model: 'Other' } },
    { keyFrom: '_others' }
  ]
]

for (const [what, relations, expected] of cases) {
  void t.test(`finds ${what}`, async (t) => {
    const big = { name: 'BigThing', properties: { code: 'string' }, relations } as ModelDefinition
    const link = { name: 'Link', relations: { mine: { type: 'belongsTo', model: 'Other' } } }
    const resolved = resolve([big, { name: 'Other', properties: { name: 'string' } }, link])
    t.match(resolved.relations[0], expected)
  })
}

void t.test('keys get the type of what they refer to, and an index', async (t) => {
  const { registry } = resolve([
    {
      name: 'Item',
      properties: { title: 'string', makerCode: 'string' },
      relations: {
        maker: { type: 'belongsTo', model: 'Maker', foreignKey: 'makerCode' },
        box: { type: 'belongsTo', model: 'Box' }
      }
    },
    { name: 'Maker', properties: { code: { type: 'string', id: true } } },
    { name: 'Box', properties: {} }
  ])
  const { byName, properties } = registry.typeOf('Item')
  t.match(byName.get('makerCode'), { index: true, type: { kind: 'string' } })
  t.match(byName.get('boxId'), { index: true, type: { kind: 'number' } })
  t.strictSame(
    properties.map(({ name }) => name),
    ['title', 'makerCode', 'id', 'boxId'],
    'a declared key keeps its place'
  )
})

void t.test('a model inherits the relations of its base, with keys of its own', async (t) => {
  const { relations } = resolve(
    [
      { name: 'Novel', base: 'Book', properties: {} },
      { name: 'Book', properties: {}, relations: { pages: { type: 'hasMany', model: 'Page' } } },
      { name: 'Page', properties: {} }
    ].toSorted((a) => (a.name === 'Book' ? -1 : 0))
  )
  t.match(relations, [{ name: 'pages', keyTo: 'bookId' }])
})

t.test('the model between is named after the side that was defined last, where both lead there', async (t) => {
  const joins = (name: string, model: string) => ({
    name,
    relations: { others: { type: 'hasAndBelongsToMany', model } }
  })
  t.match(resolve([joins('Post', 'Tag'), joins('Tag', 'Post')]).relations, [{ through: ['TagPost'] }])
  t.match(resolve([joins('Tag', 'Post'), joins('Post', 'Tag')]).relations, [{ through: ['PostTag'] }])
  t.match(resolve([joins('Post', 'Tag'), { name: 'Tag' }]).relations, [{ through: ['PostTag'] }])
})

const joined = (model: string, keys: object = {}) => ({ type: 'hasAndBelongsToMany', model, ...keys })

const sharing: readonly [string, Record<string, ReturnType<typeof joined>>, ModelDefinition[]][] = [
  ['BigThing', { uncles: joined('Other'), aunts: joined('Other') }, [{ name: 'Other' }]],
  [
    'BigThing',
    {
      uncles: joined('BigThing', { foreignKey: 'ofId', keyThrough: 'uncleId' }),
      aunts: joined('BigThing', { foreignKey: 'ofId', keyThrough: 'auntId' })
    },
    []
  ],
  ['BigThing', { uncles: joined('Other', { through: '' }), aunts: joined('Other') }, [{ name: 'Other' }]]
]

t.test('two relations that would share their links are refused, outside of compat mode', async (t) => {
  for (const [name, relations, others] of sharing) {
    const error = {
      code: 'RELATION_INVALID',
      message: /"uncles" and "aunts"/,
      where: { model: name, key: 'relations.aunts' }
    }
    t.throws(() => resolve([{ name, relations }, ...others]), error)
    t.doesNotThrow(() => resolve([{ name, relations }, ...others], true))
  }
})

t.test('both sides of one relation share their links, and models of their own keep them apart', async (t) => {
  const sides = {
    parents: joined('BigThing', { foreignKey: 'childId', keyThrough: 'parentId' }),
    children: joined('BigThing', { foreignKey: 'parentId', keyThrough: 'childId' })
  }
  t.match(resolve([{ name: 'BigThing', relations: sides }]).relations, [
    { through: ['BigThingBigThing', 'childId', 'parentId'] },
    { through: ['BigThingBigThing', 'parentId', 'childId'] }
  ])
  const apart = { uncles: joined('Other', { through: 'Uncle' }), aunts: joined('Other') }
  t.match(resolve([{ name: 'BigThing', relations: apart }, { name: 'Other' }, { name: 'Uncle' }]).relations, [
    { name: 'aunts', through: ['BigThingOther'] },
    { name: 'uncles', through: ['Uncle'] }
  ])
})

const kinds: readonly [object, object][] = [
  [{ type: 'belongsTo' }, { kind: 'belongsTo', many: false, embeds: false, holdsKey: 'one' }],
  [{ type: 'hasOne' }, { kind: 'hasOne', many: false, embeds: false, holdsKey: undefined }],
  [{ type: 'hasMany' }, { kind: 'hasMany', many: true, embeds: false, holdsKey: undefined }],
  [
    { type: 'hasMany', through: 'Link' },
    { kind: 'hasManyThrough', many: true, type: 'hasMany' }
  ],
  [{ type: 'hasAndBelongsToMany' }, { kind: 'hasAndBelongsToMany', many: true }],
  [{ type: 'referencesMany' }, { kind: 'referencesMany', many: true, holdsKey: 'list' }],
  [{ type: 'embedsOne' }, { kind: 'embedsOne', many: false, embeds: true }],
  [{ type: 'embedsMany' }, { kind: 'embedsMany', many: true, embeds: true }]
]

t.test('says of each relation of which kind it is', async (t) => {
  for (const [definition, expected] of kinds) {
    const relations = { one: { ...definition, model: 'Other' } }
    const models = [{ name: 'Thing', relations }, { name: 'Other' }, { name: 'Link' }] as ModelDefinition[]
    t.match(resolve(models).registry.typeOf('Thing').relations.get('one'), expected)
  }
})

t.test('tells followers of all relations, and of a missing model once', async (t) => {
  const registry = new ModelRegistry()
  const missing: string[] = []
  const told: string[] = []
  registry.relations.onMissing = ({ code }) => void missing.push(code)
  const lost = { type: 'belongsTo', model: 'Nowhere' }
  registry.define({ name: 'Thing', relations: { self: { type: 'hasMany', model: 'Thing' }, lost } })
  registry.relations.complete()
  registry.relations.follow(({ name }) => void told.push(name))
  registry.relations.declare(registry.typeOf('Thing'), 'other', { type: 'belongsTo', model: 'Thing' })
  registry.seal()
  t.strictSame([told, missing], [['self', 'other'], ['RELATION_TARGET_MISSING']])
  t.throws(() => registry.relations.declare(registry.typeOf('Thing'), 'late', lost), { code: 'REGISTRY_SEALED' })
})

const text = { id: { type: 'string', id: true } }

t.test('keys are added when the last of the models that a relation names is there, as in LoopBack', async (t) => {
  const { registry } = resolve([
    {
      name: 'Tag',
      relations: {
        places: { type: 'embedsMany', model: 'Place', property: 'placeList' },
        shops: { type: 'referencesMany', model: 'Shop' },
        self: { type: 'belongsTo', model: 'Tag' },
        pages: { type: 'hasAndBelongsToMany', model: 'Page' }
      }
    },
    { name: 'Shop', relations: { tags: { type: 'hasMany', model: 'Tag' } } },
    { name: 'Page', relations: { tags: { type: 'hasAndBelongsToMany', model: 'Tag' } } },
    { name: 'Place' }
  ])
  const names = (model: string) => registry.typeOf(model).properties.map(({ name }) => name)
  t.strictSame(names('Tag'), ['id', 'selfId', 'shopId', 'shopIds', 'placeList'])
  t.strictSame(names('PageTag'), ['id', 'pageId', 'tagId'])
})

t.test('the last model that a polymorphic key refers to decides its type in compat mode', async (t) => {
  const cover = { type: 'hasOne', model: 'Picture', polymorphic: 'imageable' } as const
  const registry = new ModelRegistry({ compat: true })
  registry.addDataSource('db', memory())
  registry.define({ name: 'Picture' })
  registry.define({ name: 'Book', properties: text, relations: { cover } })
  registry.define({ name: 'Shop', relations: { cover } })
  for (const name of ['Picture', 'Book', 'Shop']) registry.attach(name, 'db')
  registry.relations.complete()
  const { properties, byName } = registry.typeOf('Picture')
  t.strictSame(
    properties.map(({ name }) => name),
    ['id', 'imageableType', 'imageableId']
  )
  t.equal(byName.get('imageableId')?.type.kind, 'number')
})

t.test('a declared key takes the type of what it refers to in compat mode, as in LoopBack', async (t) => {
  const book = {
    name: 'Book',
    properties: { authorId: 'string' },
    relations: { author: { type: 'belongsTo', model: 'Author' } }
  } as const
  for (const [compat, kind] of [
    [true, 'number'],
    [false, 'string']
  ] as const) {
    const registry = new ModelRegistry({ compat })
    registry.addDataSource('db', memory())
    registry.define(book)
    registry.define({ name: 'Author' })
    for (const name of ['Book', 'Author']) registry.attach(name, 'db')
    registry.relations.complete()
    t.equal(registry.typeOf('Book').byName.get('authorId')?.type.kind, kind)
  }
})

t.test('a relation that is declared when both models have their data sources is resolved at once', async (t) => {
  const { registry } = resolve([{ name: 'One' }, { name: 'Two' }, { name: 'Later' }])
  const one = registry.typeOf('One')
  registry.relations.declare(one, 'twos', { type: 'hasMany', model: 'twos' })
  registry.relations.declare(one, 'two', { type: 'belongsTo', model: 'Two' })
  t.strictSame(
    Array.from(one.relations.values(), ({ name, to }) => [name, to?.name]),
    [
      ['twos', 'Two'],
      ['two', 'Two']
    ]
  )
  registry.relations.declare(one, 'missing', { type: 'belongsTo', model: 'Nope' })
  t.notOk(one.relations.has('missing'), 'what names no model waits')
})

t.test(
  'a relation that names models which are defined later is resolved once they have their data sources',
  async (t) => {
    const registry = new ModelRegistry()
    registry.addDataSource('db', memory())
    const add = (definition: ModelDefinition): void => {
      registry.define(definition)
      registry.attach(definition.name, 'db')
      registry.relations.attached(registry.typeOf(definition.name))
    }
    add({ name: 'One', relations: { twos: { type: 'hasMany', model: 'Two', through: 'Link' } } })
    add({ name: 'Two' })
    t.notOk(registry.typeOf('One').relations.has('twos'))
    add({ name: 'Link' })
    t.equal(registry.typeOf('One').relations.get('twos')?.through?.model.name, 'Link')
  }
)

const unknownType = { code: 'MODEL_DEFINITION_INVALID', where: { model: 'A', file: 'a.json', key: 'relations.b.type' } }

/** A registry with a model whose relation is of a kind that core does not know. */
function withUnknownType(): ModelRegistry {
  const registry = new ModelRegistry()
  registry.addDataSource('db', memory())
  registry.define({ name: 'A', relations: { b: { type: 'hasSome', model: 'B' } } }, { file: 'a.json' })
  registry.define({ name: 'B' })
  for (const name of registry.names()) registry.attach(name, 'db')
  return registry
}

t.test('a type of relation that does not exist is an error once no package adds kinds any more', async (t) => {
  t.throws(() => withUnknownType().relations.addKinds({}), unknownType)
  t.throws(() => withUnknownType().seal(), unknownType)
  await t.rejects(withUnknownType().connect(), unknownType)
  const later = new ModelRegistry()
  later.relations.addKinds({})
  const definition = { name: 'A', relations: { b: { type: 'hasSome', model: 'B' } } }
  t.throws(() => later.define(definition, { file: 'a.json' }), unknownType)
  t.equal(later.find('A'), undefined)
  const { modelType } = later.define({ name: 'C' })
  const { code } = unknownType
  t.throws(() => later.relations.declare(modelType, 'b', definition.relations.b), { code, where: { model: 'C' } })
  t.equal(modelType.definition.relations, undefined)
})

t.test('a relation of a kind that a package adds later is resolved then', async (t) => {
  const registry = withUnknownType()
  const model = registry.typeOf('A')
  registry.relations.attached(model)
  registry.relations.attached(registry.typeOf('B'))
  t.equal(registry.relations.of(model).size, 0)
  registry.relations.addKinds({
    hasSome: { many: true, embeds: false, holdsKey: undefined, resolve: resolveChildren }
  })
  t.match(model.relations.get('b'), { kind: 'hasSome', type: 'hasSome', many: true, keyTo: 'aId' })
  t.ok(registry.typeOf('B').byName.has('aId'))
})
