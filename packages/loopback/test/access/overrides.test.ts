import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { bootApp, type Files } from '../make-app.ts'
import { rule, withAccessModels } from './rules-and-models.ts'

const files: Files = {
  'common/models/thing.json': {
    name: 'Thing',
    properties: { label: 'string', userId: 'number' },
    relations: { notes: { type: 'hasMany', model: 'Note', foreignKey: 'thingId' } },
    acls: [rule('$everyone', 'DENY'), rule('$owner', 'ALLOW')],
    methods: { 'prototype.shout': { http: { verb: 'get', path: '/shout' }, returns: { arg: 'text', type: 'string' } } }
  },
  'common/models/note.json': {
    name: 'Note',
    properties: { text: 'string', userId: 'number' },
    acls: [
      rule('$everyone', 'DENY'),
      rule('$owner', 'ALLOW'),
      rule('$everyone', 'ALLOW', { property: 'find', rows: '$owner' })
    ]
  },
  'server/model-config.json': withAccessModels({ Note: { dataSource: 'db', public: true } })
}

/** Functions that stand in for those of the model, and say that every record is the caller's. */
const overrides = `
  const mine = options => (record => Object.assign(record, { userId: options.accessToken && options.accessToken.userId }))
  for (const name of ['findById', 'findOne', 'find', 'exists', 'count']) {
    const original = Model[name]
    Model[name] = async function (...args) {
      const options = args[args.length - 1] || {}
      if (name === 'exists') return { exists: true }
      if (name === 'count') return 1
      const all = await original.call(this, ...args.slice(0, -1))
      return Array.isArray(all) ? all.map(mine(options)) : all && mine(options)(all)
    }
  }`

const stage: Files = {
  'common/models/thing.js': `module.exports = Model => {
    Model.prototype.shout = async function () { return this.label + '!' }
    ${overrides}
  }`,
  'common/models/note.js': `module.exports = Model => { ${overrides} }`,
  'server/boot/a.js': `module.exports = async app => {
    app.enableAuth()
    const { User, Thing, Note } = app.models
    for (const name of ['ann', 'bob']) {
      const user = await User.create({ email: name + '@x.org', password: name })
      const thing = await Thing.create({ label: name, userId: user.id })
      await Note.create({ text: name, userId: user.id, thingId: thing.id })
      app.set(name, (await user.createAccessToken(60)).id)
    }
  }`
}

async function start(
  t: Test,
  more: Files = {}
): Promise<{
  app: FastifyInstance
  ask: (
    method: 'GET' | 'PATCH' | 'PUT' | 'POST' | 'DELETE',
    path: string,
    payload?: object
  ) => Promise<{ status: number; body: string }>
}> {
  const app = await bootApp(t, { ...files, ...stage, ...more })
  return {
    app,
    ask: async (method, path, payload) => {
      const headers = { authorization: String(app.loopback.get('ann')) }
      const { statusCode, body } = await app.inject({
        method,
        url: `/api/${path}`,
        headers,
        ...(payload === undefined ? {} : { payload })
      })
      return { status: statusCode, body }
    }
  }
}

const ways: readonly (readonly ['GET' | 'PATCH' | 'PUT' | 'POST' | 'DELETE', string, object?])[] = [
  ['GET', 'Things/2'],
  ['GET', 'Things/2/exists'],
  ['GET', 'Things/2/shout'],
  ['GET', 'Things/2/notes'],
  ['PATCH', 'Things/2', { label: 'taken' }],
  ['PATCH', 'Things', { id: 2, label: 'taken' }],
  ['PUT', 'Things/2', { label: 'taken', userId: 1 }],
  ['PUT', 'Things', { id: 2, label: 'taken', userId: 1 }],
  ['POST', 'Things/2/replace', { label: 'taken', userId: 1 }],
  ['POST', 'Things/replaceOrCreate', { id: 2, label: 'taken', userId: 1 }],
  ['DELETE', 'Things/2'],
  ['DELETE', 'Things/2/notes/2'],
  ['GET', 'Notes/2'],
  ['PATCH', 'Notes/2', { text: 'taken' }]
]

void t.test('what replaced functions answer does not make records a caller\u2019s own', async (t) => {
  const { app, ask } = await start(t)
  for (const [method, path, payload] of ways) {
    const { status, body } = await ask(method, path, payload)
    t.equal(status, 401, `${method} ${path}: ${body}`)
  }
  const { Thing, Note } = app.loopback.models as unknown as Record<
    string,
    { findById: (id: number, filter: object) => Promise<object> }
  >
  t.match(await Thing?.findById(2, {}), { label: 'bob' })
  t.match(await Note?.findById(2, {}), { text: 'bob' })
  for (const path of ['Things/1', 'Things/1/shout', 'Things/1/notes', 'Notes/1'])
    t.equal((await ask('GET', path)).status, 200, path)
})

void t.test('a replaced find shows no record that rules leave out of a list', async (t) => {
  const { ask } = await start(t)
  const { status, body } = await ask('GET', 'Notes')
  t.equal(status, 200)
  t.match(JSON.parse(body), [{ text: 'ann' }])
  t.equal((JSON.parse(body) as unknown[]).length, 1)
})

/** A list that leaves the condition out, and a function that answers any record. */
const careless: Files = {
  'common/models/note.js': `module.exports = Note => {
    const { find, findOne } = Note
    Note.find = async function (filter, options) {
      return (await find.call(this, { fields: (filter || {}).fields })).map(note => Object.assign(note, { userId: 1 }))
    }
    Note.findOne = async function (filter) { return Note.findById(filter.which) }
    Note.list = async () => Note.find()
    Note.remoteMethod('list', { returns: { arg: 'notes', root: true, type: 'array' }, http: { verb: 'get' } })
  }`
}
const acls = [
  rule('$everyone', 'DENY'),
  rule('$everyone', 'ALLOW', { property: ['find', 'findOne'], rows: '$owner' }),
  rule('$everyone', 'ALLOW', { property: 'list' })
]

void t.test('a replaced find that forgets the condition shows no more, whatever properties are chosen', async (t) => {
  const { ask } = await start(t, {
    ...careless,
    'common/models/note.json': { name: 'Note', properties: { text: 'string', userId: 'number' }, acls }
  })
  const chosen = [
    '',
    '{"text":true}',
    '["text"]',
    '"text"',
    '{"id":false}',
    '{"userId":false}',
    '{"id":false,"text":true}'
  ]
  for (const fields of chosen) {
    const query = fields === '' ? '' : `?filter={"fields":${fields}}`
    const { status, body } = await ask('GET', `Notes${query}`)
    t.equal(status, 200, body)
    t.match(JSON.parse(body), [{ text: 'ann' }], query)
    t.equal((JSON.parse(body) as unknown[]).length, 1, query)
  }
  t.equal((await ask('GET', 'Notes/findOne?filter={"which":1}')).status, 200)
  t.equal((await ask('GET', 'Notes/findOne?filter={"which":2}')).status, 401)
  t.equal((JSON.parse((await ask('GET', 'Notes/list')).body) as unknown[]).length, 2, 'its own code sees all of them')
})
