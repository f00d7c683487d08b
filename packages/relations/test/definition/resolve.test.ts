import t from 'tap'
import { installRelations } from '#src/index.ts'
import { memory } from '@modelwire/connector-memory'
import { type ModelDefinition, ModelRegistry } from '@modelwire/core'

/** The relations of the first model, as keys and models. */
function resolve(models: readonly ModelDefinition[]) {
  const registry = new ModelRegistry()
  registry.addDataSource('db', memory())
  for (const model of models) registry.define(model)
  for (const { name } of models) registry.attach(name, 'db')
  const relations = installRelations(registry)
  relations.complete()
  const list = [...relations.of(registry.typeOf(models[0]?.name ?? '')).values()]
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
