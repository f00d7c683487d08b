import t from 'tap'
import { expandProperty, inheritDefinition, type ResolvedDefinition } from '#src/definition/inherit-definition.ts'
import type { ModelDefinition } from '#src/definition/model-definition.ts'

const expansions: readonly (readonly [written: unknown, expanded: object])[] = [
  ['string', { type: 'string' }],
  [['string'], { type: ['string'] }],
  [String, { type: String }],
  [
    { type: 'string', required: true },
    { type: 'string', required: true }
  ],
  [{ street: 'string' }, { type: { street: 'string' } }],
  [{ type: { street: 'string' } }, { type: { street: 'string' } }]
]

t.test('short forms of properties are expanded', async (t) => {
  for (const [written, expanded] of expansions) t.strictSame(expandProperty(written), expanded)
})

const base: ModelDefinition = {
  name: 'Publication',
  plural: 'papers',
  properties: { title: { type: 'string', required: true }, year: 'number' },
  relations: { author: { type: 'belongsTo' } },
  acls: [{ permission: 'DENY' }],
  mixins: { TimeStamp: true },
  methods: { print: {} },
  scopes: { old: {} },
  indexes: { byYear: {} },
  hidden: ['secret'],
  protected: ['email'],
  strict: true,
  public: true,
  dataSource: 'db',
  forceId: false,
  custom: { kept: true }
}

const resolved = (definition: ModelDefinition, parent?: ModelDefinition): ResolvedDefinition =>
  inheritDefinition(definition, parent && inheritDefinition(parent, undefined))

t.test('own properties come first and replace those of the base as a whole', async (t) => {
  const { properties } = resolved(
    { name: 'Magazine', properties: { issue: 'number', title: { default: 'x', type: 'text' } } },
    base
  )
  t.strictSame(Object.entries(properties), [
    ['issue', { type: 'number' }],
    ['title', { type: 'text', default: 'x' }],
    ['year', { type: 'number' }]
  ])
})

t.test(
  'a model is without the properties that excludeBaseProperties names, and so are those that extend it',
  async (t) => {
    const own = { name: 'Own', properties: { issue: 'number' }, excludeBaseProperties: ['year'] }
    const left = resolved(own, base)
    t.strictSame(Object.keys(left.properties), ['issue', 'title'])
    // LoopBack 3.28: it counts for own properties, too.
    const further = inheritDefinition({ name: 'Further', properties: { year: 'number', more: 'string' } }, left)
    t.strictSame(Object.keys(further.properties), ['more', 'issue', 'title'])
  }
)

t.test('ids of the base are left out where the model has one of its own', async (t) => {
  const parent: ModelDefinition = { name: 'Base', properties: { id: { type: 'number', id: true }, name: 'string' } }
  const own = resolved({ name: 'Own', properties: { code: { type: 'string', id: true } } }, parent)
  t.strictSame(Object.keys(own.properties), ['code', 'name'])
  const same = resolved({ name: 'Same', properties: { code: { type: 'string', id: false } } }, parent)
  t.strictSame(Object.keys(same.properties), ['code', 'id', 'name'])
})

t.test('lists add up and maps are merged', async (t) => {
  const magazine = resolved(
    {
      name: 'Magazine',
      relations: { editor: { type: 'hasOne' } },
      acls: [{ permission: 'ALLOW' }],
      mixins: { TimeStamp: false, Tag: true },
      methods: { bind: {} },
      scopes: { fresh: {} },
      indexes: { byCost: {} },
      hidden: ['cost', 'secret'],
      protected: ['phone']
    },
    base
  )
  t.strictSame(Object.keys(magazine.relations ?? {}), ['author', 'editor'])
  t.strictSame(magazine.acls, [{ permission: 'DENY' }, { permission: 'ALLOW' }])
  t.strictSame(magazine.mixins, { TimeStamp: false, Tag: true })
  t.strictSame(Object.keys(magazine.methods ?? {}), ['print', 'bind'])
  t.strictSame(Object.keys(magazine.scopes ?? {}), ['old', 'fresh'])
  t.strictSame(Object.keys(magazine.indexes ?? {}), ['byYear', 'byCost'])
  t.strictSame(magazine.hidden, ['secret', 'cost'])
  t.strictSame(magazine.protected, ['email', 'phone'])
})

t.test('settings are inherited, the plural too; name, exposure and data source are not', async (t) => {
  const magazine = resolved({ name: 'Magazine', forceId: true }, base)
  t.match(magazine, { name: 'Magazine', plural: 'papers', strict: true, forceId: true, custom: { kept: true } })
  t.strictSame([magazine.public, magazine.dataSource], [undefined, undefined])
})

t.test('options count as settings of the top level, which win', async (t) => {
  const options = { strict: true, hidden: ['secret'], ttl: 5 }
  t.match(resolved({ name: 'Note', options, strict: false }), { strict: false, hidden: ['secret'], ttl: 5, options })
})

t.test('a property of the base that is declared as false or null is left out', async (t) => {
  const parent = inheritDefinition(
    { name: 'Base', properties: { realm: 'string', kept: 'string', gone: 'number' } },
    undefined
  )
  const { properties } = inheritDefinition(
    { name: 'Own', base: 'Base', properties: { realm: false, gone: null } },
    parent
  )
  t.strictSame(Object.keys(properties), ['kept'])
})
