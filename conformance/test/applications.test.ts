import t from 'tap'
import { folderBeside, runFolder } from '#src/applications/application.ts'
import { allowDifferences } from '#src/applications/allow-differences.ts'
import { compareExchange } from '#src/applications/compare-exchange.ts'
import type { Description, Operation, PropertyDescription } from '#src/applications/description.ts'
import { makeRecord, type Material } from '#src/applications/make-record.ts'
import { namedRoles } from '#src/applications/named-roles.ts'
import { kindOfOperation, nameOf, relationsOf, stageOf, targetOf } from '#src/applications/operation-name.ts'
import { pairOf, valueFor } from '#src/applications/pair.ts'
import { planTurns, shareRoom, turnsOf } from '#src/applications/plan-turns.ts'
import { asKnownId, forget, knownRecord, modelNamed, refresh, remember } from '#src/applications/records.ts'
import { writeRequest } from '#src/applications/request.ts'
import { accountModel, inOrder } from '#src/applications/seed-records.ts'

const answer = (status: number, body: unknown) => ({ status, headers: {}, body: JSON.stringify(body) })

const operation = (method: string, path = '/', verb = 'get'): Operation => ({ method, path, verb, args: [] })

const property = (values: Partial<PropertyDescription>): PropertyDescription => ({
  type: 'String',
  isList: false,
  required: false,
  id: false,
  generated: false,
  hasDefault: false,
  ...values
})

const noModel = { isUser: false, isStorage: false, properties: {}, relations: {}, validations: [] }

const description: Description = {
  version: '3.28.0',
  root: '/api',
  operations: [],
  models: {
    Note: {
      ...noModel,
      idName: 'id',
      properties: {
        id: property({ type: 'Number', id: true, generated: true }),
        title: property({ required: true }),
        state: property({}),
        authorId: property({ type: 'Number' })
      },
      relations: {
        author: {
          kind: 'belongsTo',
          keyFrom: 'authorId',
          keyTo: 'id',
          target: 'Author',
          embedded: false,
          polymorphic: false,
          through: false
        }
      },
      validations: [{ property: 'state', kind: 'inclusion', values: ['open', 'done'] }]
    },
    Author: { ...noModel, idName: 'id' }
  }
}

t.test('answers with ids, tokens and times that each side makes up are equal', async (t) => {
  const one = { id: '5f0c1e2d3c4b5a6978695a4b', token: 'aB3'.repeat(21), at: '2026-01-01T10:00:00.000Z' }
  const other = { id: '6f0c1e2d3c4b5a6978695a4b', token: 'Cd4'.repeat(21), at: '2026-01-01T10:00:01.500Z' }
  t.equal(compareExchange(answer(200, one), answer(200, other)).likeness, 'equal')
})

t.test('the likeness of two answers is the gravest of their differences', async (t) => {
  const error = (message: string, name = 'Error') => ({ error: { statusCode: 404, name, message, stack: message } })
  const cases = [
    [answer(200, {}), answer(204, {}), 'status'],
    [answer(200, { a: 1, b: 2 }), answer(200, { a: 1, b: 3 }), 'body'],
    [answer(200, { a: 1, b: 2 }), answer(200, { b: 2, a: 1 }), 'order'],
    [answer(404, error('gone')), answer(404, error('lost')), 'wording'],
    [answer(404, error('gone')), answer(404, error('gone', 'TypeError')), 'body'],
    [answer(200, [{ a: 1 }]), answer(200, [{ a: 1 }]), 'equal']
  ] as const
  for (const [loopback, modelwire, likeness] of cases)
    t.equal(compareExchange(loopback, modelwire).likeness, likeness, `${loopback.body} ${modelwire.body}`)
})

t.test('a header that differs counts when the body does not', async (t) => {
  const text = { status: 200, headers: { 'content-type': 'text/html' }, body: '1' }
  t.equal(compareExchange(text, { ...text, headers: { 'content-type': 'text/plain' } }).likeness, 'header')
})

t.test('names of methods are read', async (t) => {
  t.same(nameOf(operation('Note.prototype.__create__tags')), {
    model: 'Note',
    isPrototype: true,
    verb: '__create__',
    relation: 'tags'
  })
  t.equal(kindOfOperation(nameOf(operation('Note.prototype.__get__author'))), 'prototype.__get__*')
  t.equal(kindOfOperation(nameOf(operation('Note.find'))), 'find')
  t.equal(kindOfOperation(nameOf(operation('Note.publish'))), 'Note.publish')
})

t.test('what destroys comes last', async (t) => {
  t.equal(stageOf(operation('Note.find')), 'read')
  t.equal(stageOf(operation('Note.create', '/', 'post')), 'write')
  t.equal(stageOf(operation('Note.deleteById', '/:id', 'delete')), 'destroy')
  t.equal(stageOf(operation('User.logout', '/', 'post')), 'destroy')
})

t.test('each side gets its own ids, in the path, the query and the body', async (t) => {
  const id = pairOf('one', 'two')
  const request = {
    operation: operation('Note.prototype.patchAttributes', '/Notes/:id', 'patch'),
    persona: 'owner' as const,
    kind: 'plain',
    path: { id },
    query: { filter: { where: { id } } },
    headers: {},
    body: { list: [id] }
  }
  const written = writeRequest('modelwire', request, { token: pairOf('a', 'b'), headers: {} })
  t.equal(written.path, `/Notes/two?filter=${encodeURIComponent('{"where":{"id":"two"}}')}`)
  t.equal(written.body, '{"list":["two"]}')
  t.equal(written.headers['authorization'], 'b')
  t.same(valueFor('loopback', request.body), { list: ['one'] })
})

t.test('records have valid values and the keys of records that exist', async (t) => {
  let count = 0
  const material: Material = { description, records: new Map(), owner: undefined, values: {}, next: () => (count += 1) }
  remember(material.records, 'Author', 'id', { loopback: '{"id":7}', modelwire: '{"id":8}' })
  const record = makeRecord('Note', material)
  t.match(record, { title: String, state: /open|done/ })
  t.notOk('id' in record)
  t.equal(valueFor('modelwire', record['authorId']), 8)
  t.equal(knownRecord(material.records, 'Note'), undefined)
})

t.test('models come after those that they belong to', async (t) => {
  t.same(inOrder(description), ['Author', 'Note'])
  t.equal(modelNamed(description, 'authorId'), 'Author')
  t.equal(modelNamed(description, 'valid'), undefined)
})

t.test('applications beside one another have folders of their own', async (t) => {
  const applications = ['/apps/shop', '/apps/blog'].map((dir) => ({ dir }))
  const folders = applications.flatMap((application) => [
    runFolder(application, 'loopback'),
    runFolder(application, 'modelwire'),
    folderBeside(application, 'with-originals')
  ])
  t.equal(new Set(folders).size, 6)
})

const materialWith = (of: Description): Material => {
  let count = 0
  return { description: of, records: new Map(), owner: undefined, values: {}, next: () => (count += 1) }
}

const relation = (target: string, values = {}) => ({
  kind: 'hasMany',
  keyFrom: 'id',
  keyTo: 'noteId',
  target,
  embedded: false,
  polymorphic: false,
  through: false,
  ...values
})

t.test('a nested route goes along two relations', async (t) => {
  const { Note = noModel, Author = noModel } = description.models
  const nested = { ...description, models: { Note, Author: { ...Author, relations: { notes: relation('Note') } } } }
  const name = nameOf(operation('Note.prototype.__findById__author__notes'))
  t.same(
    relationsOf(nested, name).map((one) => `${one.of}.${one.name}`),
    ['Note.author', 'Author.notes']
  )
  t.equal(targetOf(nested, name), 'Note')
  t.same(relationsOf(nested, nameOf(operation('Note.prototype.__get__nothing'))), [])
})

t.test('a record that is destroyed is forgotten, and one that is changed is known as it became', async (t) => {
  const { records } = materialWith(description)
  for (const id of [1, 2])
    remember(records, 'Note', 'id', { loopback: `{"id":${id},"title":"a"}`, modelwire: '{"id":9}' })
  refresh(records, 'Note', 'id', '{"id":2,"title":"b"}')
  forget(records, ['Note', 'Author'], 1)
  t.match(records.get('Note'), [{ data: { id: 2, title: 'b' } }])
  t.equal(records.get('Note')?.length, 1)
})

t.test('a filter for an id that a record holds asks each side for its own', async (t) => {
  const records = new Map()
  remember(records, 'Shop', 'id', { loopback: '{"id":"a1"}', modelwire: '{"id":"b1"}' })
  t.strictSame(valueFor('modelwire', { shopId: { neq: asKnownId(records, 'a1') } }), { shopId: { neq: 'b1' } })
  t.equal(asKnownId(records, 'a2'), 'a2')
})

t.test('an ObjectId is left out, since no text is that of a record', async (t) => {
  const Ticket = {
    ...noModel,
    idName: 'id',
    properties: { shopId: property({ type: 'ObjectID' }), title: property({}) }
  }
  const known = { ...description, models: { Ticket } }
  const material: Material = { description: known, records: new Map(), owner: undefined, values: {}, next: () => 1 }
  t.strictSame(Object.keys(makeRecord('Ticket', material)), ['title'])
})

t.test('an id that each side would make by chance is sent, so that lists have one order', async (t) => {
  const id = property({ id: true, hasDefault: true })
  const of = { ...description, models: { Tag: { ...noModel, idName: 'id', properties: { id } } } }
  t.match(makeRecord('Tag', materialWith(of)), { id: /^0{8}-0000-4000-8000-\d{12}$/ })
})

t.test(
  'related records are destroyed before others, then passwords change, sessions end and accounts go',
  async (t) => {
    const methods = [
      'User.deleteById',
      'User.logout',
      'User.setPassword',
      'Note.deleteById',
      'Note.prototype.__delete__author'
    ]
    const operations = methods.map((method) => operation(method, '/', 'post'))
    const of = { ...description, models: { ...description.models, User: { ...noModel, isUser: true } } }
    const group = planTurns(operations, of).find(({ stage, persona }) => stage === 'destroy' && persona === 'owner')
    t.same(
      group?.operations.map(({ method }) => method),
      methods.toReversed()
    )
  }
)

t.test('the owner gets the room that others leave', async (t) => {
  const groups = planTurns([operation('Note.find'), operation('Note.create', '/', 'post')], description)
  const material = materialWith(description)
  t.same(
    groups.map((group) => turnsOf(group, material).length),
    [1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 1]
  )
  const rooms = shareRoom(groups, 4, material)
  t.ok(rooms.reduce((sum, room) => sum + room, 0) >= 4)
  t.same(rooms.slice(0, 2), [0, 0])
})

t.test('the model that most relations lead to is the one whose accounts sign in', async (t) => {
  const user = { ...noModel, isUser: true }
  const Note = { ...noModel, relations: { author: relation('Member', { kind: 'belongsTo' }) } }
  const operations = [operation('User.login'), operation('Member.login')]
  t.equal(accountModel({}, { ...description, operations, models: { User: user, Member: user, Note } }), 'Member')
  t.equal(accountModel({ model: 'User' }, description), 'User')
})

t.test('the roles that rules name are found in the files of models', async (t) => {
  const dir = t.testdir({
    'model-config.json': JSON.stringify({ Note: { acls: [{ principalType: 'ROLE', principalId: 'editor' }] } }),
    models: {
      'note.json': JSON.stringify({
        acls: [
          { principalType: 'ROLE', principalId: '$everyone' },
          { principalType: 'ROLE', principalId: 'admin' },
          { principalType: 'USER', principalId: '7' }
        ]
      }),
      'broken.json': '{'
    }
  })
  t.same(await namedRoles(dir), ['admin', 'editor'])
})

t.test('what a documented rule allows is told apart from other differences', async (t) => {
  const request = {
    operation: operation('Note.find'),
    persona: 'owner',
    kind: 'plain',
    path: {},
    query: {},
    headers: {}
  } as const
  const rules = [
    { rule: 'LoopBack fails', mark: 'LoopBack is broken', document: '', when: [{ at: '^status$', loopback: '^500$' }] }
  ] as const
  const allowedOf = (status: number): readonly string[] | undefined => {
    const [loopback, modelwire] = [answer(status, {}), answer(404, {})]
    const exchange = {
      ...compareExchange(loopback, modelwire),
      request,
      line: 'GET /Notes',
      loopback,
      modelwire,
      follows: false
    }
    return allowDifferences([exchange], description, { rules, files: {} })[0]?.allowed
  }
  t.same(allowedOf(500), ['LoopBack fails'])
  t.equal(allowedOf(200), undefined)
  t.equal(allowedOf(404), undefined)
})

t.test('what follows a write that a rule allows is allowed by that rule', async (t) => {
  const create = operation('Note.create', '/', 'post')
  const asked = { persona: 'owner', kind: 'plain', path: {}, query: {}, headers: {} } as const
  const exchangeOf = (one: Operation, statuses: readonly [number, number], follows: boolean) => {
    const [loopback, modelwire] = [answer(statuses[0], [statuses[0]]), answer(statuses[1], [statuses[1]])]
    const request = { ...asked, operation: one }
    return { ...compareExchange(loopback, modelwire), request, line: 'GET /', loopback, modelwire, follows }
  }
  const rules = [{ rule: 'LoopBack fails', mark: 'documented', document: '', when: [{ loopback: '^500$' }] }] as const
  const allowed = (write: readonly [number, number]) =>
    allowDifferences(
      [
        exchangeOf(create, write, false),
        exchangeOf(operation('Note.find'), [404, 200], true),
        exchangeOf(operation('Note.find'), [200, 200], true)
      ],
      description,
      { rules, files: {} }
    ).map((one) => one.allowed)
  t.same(allowed([500, 200]), [['LoopBack fails'], ['LoopBack fails'], undefined])
  t.same(allowed([401, 200]), [undefined, undefined, undefined])
})
