import t from 'tap'
import { bootApp, type Files, notesOf, refusal } from '../../make-app.ts'

const stored = { label: 'x', pw: 's' }
const whole = { ...stored, id: 1 }
const fields = { label: 'string', pw: 'string' }

const withFile = (more: object): Files => ({
  'common/models/thing.json': { name: 'Thing', properties: { label: 'string' }, ...more }
})

// What LoopBack 3.28 answers to the record { label: 'x', pw: 's' }, or the status that refuses it.
const shapes: readonly (readonly [parts: object, answer: object | number])[] = [
  [{ properties: ['label', 'size'] }, whole],
  [{ properties: null }, whole],
  [{ properties: false }, whole],
  [{ properties: { label: null } }, whole],
  [{ properties: { label: false } }, whole],
  [{ properties: { label: '' } }, whole],
  [{ properties: { label: ['string', 'number'] } }, 400],
  [{ properties: { label: { type: ['string', 'number'] } } }, 400],
  [{ properties: { label: 'binary' } }, { ...whole, label: { type: 'Buffer', data: [120] } }],
  [
    { properties: fields, hidden: { pw: true } },
    { label: 'x', id: 1 }
  ],
  [
    { properties: fields, hidden: { pw: false, label: true } },
    { pw: 's', id: 1 }
  ],
  [
    { properties: fields, hidden: [['pw'], 5, null] },
    { label: 'x', id: 1 }
  ],
  [{ properties: fields, hidden: 'pw' }, whole],
  [
    { properties: fields, hiddenProperties: ['pw'] },
    { label: 'x', id: 1 }
  ],
  [
    { properties: fields, hiddenProperties: { pw: true } },
    { label: 'x', id: 1 }
  ],
  [
    { properties: fields, hidden: ['pw'], hiddenProperties: ['label'] },
    { pw: 's', id: 1 }
  ],
  [
    { properties: fields, options: { hidden: ['pw'] } },
    { label: 'x', id: 1 }
  ],
  [
    { hidden: null, protected: null, validations: null, methods: null, mixins: null, indexes: null, scopes: null },
    whole
  ],
  [{ hidden: {}, protected: {}, validations: {}, methods: {}, mixins: {}, indexes: {}, scopes: {} }, whole],
  [{ hidden: [], protected: [], validations: [], methods: [], mixins: [], indexes: [], scopes: [] }, whole],
  [{ hidden: false, protected: false, validations: false, methods: false, relations: false, acls: false }, whole],
  [{ methods: 'x' }, whole],
  [{ methods: { secret: false } }, whole],
  [{ relations: [], acls: [] }, whole],
  [{ acls: null }, whole],
  [{ base: null }, whole],
  [{ base: false }, whole],
  [{ base: '' }, whole],
  [{ base: undefined, super: 'PersistedModel' }, whole],
  [{ base: 'Model', options: { base: 'PersistedModel' } }, whole],
  [{ options: null }, whole],
  [{ options: [] }, whole],
  [{ plural: 'others', options: { plural: 'Things' } }, whole],
  [{ plural: null }, whole],
  [{ plural: '' }, whole],
  [{ plural: 5 }, 404],
  [{ http: null }, whole],
  [{ http: { path: '' } }, whole],
  [{ http: { path: null } }, whole],
  [{ strict: null }, whole],
  [{ strict: 'true' }, 422],
  [{ strict: 'false' }, 422],
  [{ idInjection: null }, whole],
  [{ forceId: null }, whole],
  [{ replaceOnPUT: 'true', validateUpsert: 'true', automaticValidation: null }, whole],
  [{ persistUndefinedAsNull: null, applyDefaultsOnReads: null, updateOnLoad: null }, whole],
  [{ trackChanges: '' }, whole],
  [{ mysql: { dataLength: 5, table: null }, mongodb: null, free: { any: [1] }, '//': 'a comment' }, whole]
]
for (const [parts, answer] of shapes) {
  void t.test(`a model file with ${JSON.stringify(parts)} is read as in LoopBack`, async (t) => {
    const server = await bootApp(t, withFile(parts))
    const created = await server.inject({ method: 'POST', url: '/api/Things', payload: stored })
    if (typeof answer === 'number') t.equal(created.statusCode, answer)
    else t.strictSame(created.json(), answer)
  })
}

const children = { type: 'hasMany', model: 'Thing', foreignKey: 'parentId' }
const relations: readonly (readonly [more: object, key: string])[] = [
  [{ foreignKey: null }, 'thingId'],
  [{ foreignKey: '' }, 'thingId'],
  [{ foreignKey: ['ownerId'] }, 'ownerId'],
  [{ through: null, primaryKey: null, keyThrough: null, options: null, onDelete: 'CASCADE', invert: 'x' }, 'parentId'],
  [{ options: [], polymorphic: null, scope: null, onDelete: null }, 'parentId']
]
for (const [more, key] of relations) {
  void t.test(`a relation with ${JSON.stringify(more)} is read as in LoopBack`, async (t) => {
    const server = await bootApp(t, withFile({ relations: { parts: { ...children, ...more } } }))
    const url = '/api/Things'
    await server.inject({ method: 'POST', url, payload: { label: 'a' } })
    const part = await server.inject({ method: 'POST', url: `${url}/1/parts`, payload: { label: 'b' } })
    t.strictSame(part.json(), { label: 'b', id: 2, [key]: 1 })
  })
}

void t.test('relations in a list go by their places', async (t) => {
  const server = await bootApp(t, withFile({ relations: [children] }))
  await server.inject({ method: 'POST', url: '/api/Things', payload: { label: 'a' } })
  t.strictSame((await server.inject('/api/Things/1/0')).json(), [])
})

void t.test('scripts find what was written, in the settings of the definition as well', async (t) => {
  const free = { hidden: { pw: true }, acls: { read: 'admin' }, mysql: { schema: 's' }, own: [1] }
  const server = await bootApp(t, {
    ...withFile(free),
    'common/models/thing.js': `module.exports = (Thing) => {
      Thing.found = [Thing.settings, Thing.definition.settings].map(({ hidden, acls, mysql, own }) => ({ hidden, acls, mysql, own }))
      Thing.named = Object.keys(Thing.settings).filter((key) => key === 'hidden' || key === 'own')
    }`
  })
  const found = Object(server.loopback.models['Thing']) as { found: unknown; named: string[] } // set by the script
  t.strictSame(found.found, [free, free])
  t.strictSame(found.named.toSorted(), ['hidden', 'own'])
})

void t.test('what has no meaning is told', async (t) => {
  const server = await bootApp(
    t,
    withFile({
      hidden: 'pw',
      properties: { label: { type: true } },
      relations: { parts: { ...children, onDelete: 'CASCADE' } }
    })
  )
  const keys = ['hidden', 'properties.label.type', 'relations.parts.onDelete']
  for (const key of keys)
    t.ok(
      notesOf(server).some((note) => note.startsWith(`common/models/thing.json: ${key}: `)),
      key
    )
})

void t.test('scripts hide and protect properties in the settings', async (t) => {
  const server = await bootApp(t, {
    ...withFile({ properties: fields, relations: { parts: children } }),
    'common/models/thing.js': `module.exports = (Thing) => {
      Thing.settings.hidden = ['pw']
      Thing.settings.protected = (Thing.settings.protected || []).concat('label')
    }`
  })
  await server.inject({ method: 'POST', url: '/api/Things', payload: stored })
  await server.inject({ method: 'POST', url: '/api/Things', payload: { ...stored, parentId: 1 } })
  const answer = await server.inject('/api/Things/1?filter={"include":"parts"}')
  t.strictSame(answer.json(), { label: 'x', id: 1, parts: [{ id: 2, parentId: 1 }] })
})

void t.test('a file without a name has that of its file, one below an underscore is left out', async (t) => {
  const server = await bootApp(t, {
    'common/models/thing.json': { properties: { label: 'string' } },
    'common/models/_thing2.json': '{',
    'common/models/some-data.json': [{ label: 'x' }]
  })
  const created = await server.inject({ method: 'POST', url: '/api/Things', payload: { label: 'x' } })
  t.strictSame(created.json(), { label: 'x', id: 1 })
})

void t.test('a name that is no text is refused', async (t) => {
  t.strictSame(await refusal(t, { 'common/models/thing.json': { name: 5 } }), {
    code: 'CONFIG_FILE_INVALID',
    file: 'common/models/thing.json',
    key: 'name'
  })
})
