import t from 'tap'
import { folderBeside, runFolder } from '#src/applications/application.ts'
import { compareExchange } from '#src/applications/compare-exchange.ts'
import type { Description, Operation, PropertyDescription } from '#src/applications/description.ts'
import { makeRecord, type Material } from '#src/applications/make-record.ts'
import { kindOfOperation, nameOf, stageOf } from '#src/applications/operation-name.ts'
import { pairOf, valueFor } from '#src/applications/pair.ts'
import { knownRecord, modelNamed, remember } from '#src/applications/records.ts'
import { writeRequest } from '#src/applications/request.ts'
import { inOrder } from '#src/applications/seed-records.ts'

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
          polymorphic: false
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
