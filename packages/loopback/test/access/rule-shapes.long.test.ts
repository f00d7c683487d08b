import t from 'tap'
import { bootApp, type Files, notesOf, refusal } from '../make-app.ts'

const everyone = { principalType: 'ROLE', principalId: '$everyone' }
const deny = { ...everyone, permission: 'DENY' }

const withRules = (acls: unknown, entry: object = {}, script = ''): Files => ({
  'common/models/thing.json': { name: 'Thing', properties: { label: 'string' }, acls },
  'common/models/thing.js': `module.exports = (Thing) => { ${script} }`,
  'server/model-config.json': {
    _meta: { sources: ['../common/models'] },
    Thing: { dataSource: 'db', public: true, ...entry }
  },
  'server/boot/a.js': 'module.exports = (app) => app.enableAuth()'
})

// What LoopBack 3.28 answers: GET /Things, GET /Things/count, POST /Things.
const all = [401, 401, 401]
const none = [200, 200, 200]
const shapes: readonly (readonly [rule: object, answers: readonly number[]])[] = [
  [{ ...deny, property: null }, all],
  [{ ...deny, property: false }, all],
  [{ ...deny, property: 0 }, all],
  [{ ...deny, property: true }, none],
  [{ ...deny, property: 5 }, none],
  [{ ...deny, property: ['find', null] }, [401, 200, 200]],
  [{ ...deny, property: ['find', 5] }, [401, 200, 200]],
  [{ ...deny, property: [null] }, none],
  [{ ...deny, accessType: null }, all],
  [{ ...deny, accessType: false }, all],
  [{ ...deny, accessType: 0 }, all],
  [{ ...deny, accessType: ['READ'] }, [401, 401, 200]],
  [{ ...deny, accessType: true }, none],
  [{ ...deny, principalId: ['$everyone'] }, all],
  [{ ...deny, principalId: [['$everyone']] }, all],
  [{ ...deny, principalId: null }, none],
  [{ ...deny, principalId: true }, none],
  [{ ...deny, principalType: ['ROLE'] }, all],
  [{ ...deny, principalType: null }, none],
  [{ ...deny, permission: ['DENY'] }, all],
  [{ ...deny, permission: null }, none],
  [{ ...deny, permission: false }, none]
]

const statuses = async (server: Awaited<ReturnType<typeof bootApp>>): Promise<number[]> => {
  const asked = [
    await server.inject('/api/Things'),
    await server.inject('/api/Things/count'),
    await server.inject({ method: 'POST', url: '/api/Things', payload: { label: 'x' } })
  ]
  return asked.map(({ statusCode }) => statusCode)
}

for (const [rule, answers] of shapes) {
  void t.test(`a rule of the shape ${JSON.stringify(rule)} holds as in LoopBack`, async (t) => {
    const inFile = await bootApp(t, withRules([rule]))
    t.strictSame(await statuses(inFile), answers, 'in the model file')
    const inConfig = await bootApp(t, withRules([], { acls: [rule] }))
    t.strictSame(await statuses(inConfig), answers, 'in model-config.json')
    const pushed = await bootApp(t, withRules([], {}, `Thing.settings.acls.push(${JSON.stringify(rule)})`))
    t.strictSame(await statuses(pushed), answers, 'pushed by a script')
  })
}

// LoopBack starts with them; it never applies such a rule, or fails on every call.
const malformed: readonly (readonly [acls: unknown, key: string])[] = [
  [[{ ...deny, property: {} }], 'acls.0.property'],
  [[{ ...deny, property: [['find']] }], 'acls.0.property.0'],
  [[{ ...deny, accessType: ['READ', 'WRITE'] }], 'acls.0.accessType'],
  [[{ ...deny, principalId: ['$everyone', 'admin'] }], 'acls.0.principalId'],
  [[{ ...deny, principalType: {} }], 'acls.0.principalType'],
  [[{ ...deny, permission: ['DENY', 'ALLOW'] }], 'acls.0.permission'],
  [[deny, null], 'acls.1'],
  [[[deny]], 'acls.0'],
  [{ 0: deny, length: 1 }, 'acls'],
  [{}, 'acls'],
  ['admin', 'acls']
]
for (const [acls, key] of malformed) {
  void t.test(`rules of the shape ${JSON.stringify(acls)} stop the start`, async (t) => {
    const expected = { code: 'ACCESS_RULE_INVALID', file: 'common/models/thing.json', key }
    t.strictSame(await refusal(t, withRules(acls)), expected)
    const isOpen = await bootApp(t, { ...withRules(acls), 'server/boot/a.js': undefined })
    t.equal((await isOpen.inject('/api/Things')).statusCode, 200, 'unless rules are not enforced at all')
  })
}

void t.test('a malformed rule of a script, or of model-config.json, stops the start', async (t) => {
  const expected = { code: 'ACCESS_RULE_INVALID', file: 'common/models/thing.json', key: 'acls.0' }
  t.strictSame(await refusal(t, withRules([], {}, 'Thing.settings.acls.push(null)')), expected)
  const entry = { acls: [{ ...deny, principalId: ['a', 'b'] }] }
  t.strictSame(await refusal(t, withRules([], entry)), {
    code: 'ACCESS_RULE_INVALID',
    file: 'server/model-config.json',
    key: 'Thing.acls.0.principalId'
  })
})

void t.test('what is no rule among rules is about nobody, and is told', async (t) => {
  const server = await bootApp(t, withRules(['own', deny]))
  t.strictSame(await statuses(server), all)
  t.ok(notesOf(server).some((note) => note.startsWith('common/models/thing.json: acls.0.principalType: ')))
})

void t.test('scripts find and change the list that is enforced', async (t) => {
  const server = await bootApp(
    t,
    withRules(
      ['own', { ...deny, property: null }],
      {},
      'Thing.found = JSON.stringify(Thing.settings.acls); Thing.settings.acls.pop()'
    )
  )
  t.equal(
    Reflect.get(Object(server.loopback.models['Thing']), 'found'),
    JSON.stringify(['own', { ...deny, property: null }])
  )
  t.strictSame(await statuses(server), none)
})

void t.test('a rule of model-config.json takes the place of one about the same', async (t) => {
  const allow = { ...everyone, permission: 'ALLOW' }
  t.strictSame(await statuses(await bootApp(t, withRules([deny], { acls: [allow] }))), none)
  const more = { ...allow, property: 'find' }
  t.strictSame(await statuses(await bootApp(t, withRules([deny], { acls: [more] }))), [200, 401, 401])
  const lists = [
    { ...deny, property: ['find'] },
    { ...allow, property: ['find'] }
  ] as const
  t.strictSame(await statuses(await bootApp(t, withRules([lists[0]], { acls: [lists[1]] }))), [401, 200, 200])
})

void t.test('rules of a function, or of a property named like a method, are about that method', async (t) => {
  const rules = JSON.stringify([deny])
  const declare = `Thing.remoteMethod('secret', { http: { verb: 'get' } })`
  const onFunction = await bootApp(
    t,
    withRules([], {}, `Thing.secret = async () => {}; Thing.secret.acls = ${rules}; ${declare}`)
  )
  t.equal((await onFunction.inject('/api/Things/secret')).statusCode, 401)
  t.strictSame(await statuses(onFunction), none)
  const properties = { label: 'string', find: { type: 'string', acls: [deny] } }
  const onProperty = await bootApp(t, {
    ...withRules([]),
    'common/models/thing.json': { name: 'Thing', properties }
  })
  t.strictSame(await statuses(onProperty), [401, 200, 200])
})
