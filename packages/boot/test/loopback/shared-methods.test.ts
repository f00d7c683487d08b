import t from 'tap'
import { bootApp, notesOf } from '../make-app.ts'
import { answersAsLoopback, filesOf } from './answers.ts'

const shares = (sharedMethods: Readonly<Record<string, boolean>>) => ({
  file: { properties: { n: 'number' } },
  config: { options: { remoting: { sharedMethods } } }
})

t.test('destroyAll has a route where sharedMethods names it, or a pattern of its name', async (t) => {
  await answersAsLoopback(
    t,
    {
      Named: shares({ destroyAll: true }),
      Star: shares({ '*': true }),
      Alias: shares({ deleteAll: true }),
      Alone: shares({ '*': false, destroyAll: true }),
      Part: shares({ 'destroy*': true }),
      Usual: shares({})
    },
    [
      ['POST /Nameds [{"n":1},{"n":2},{"n":3}]', 200],
      ['DELETE /Nameds?where={"n":1}', 200, { count: 1 }],
      ['DELETE /Nameds?where=[1]', 400],
      ['DELETE /Nameds?where=abc', 400],
      ['DELETE /Nameds', 200, { count: 2 }],
      ['GET /Nameds/count', 200, { count: 0 }],
      ['DELETE /Stars', 200, { count: 0 }],
      ['DELETE /Aliases', 404],
      ['DELETE /Alones', 200, { count: 0 }],
      ['GET /Alones', 404],
      ['DELETE /Parts', 200, { count: 0 }],
      ['GET /Parts', 200, []],
      ['DELETE /Usuals', 404]
    ]
  )
})

t.test('a method with shared: false has no route until sharedMethods names it', async (t) => {
  const methods = { kept: { shared: false }, opened: { shared: false }, 'prototype.seen': { shared: false } }
  const script = 'module.exports = M => { M.kept = M.opened = M.prototype.seen = cb => cb() }'
  const { config } = shares({ opened: true, 'prototype.seen': true })
  await answersAsLoopback(t, { Desk: { file: { methods }, script, config } }, [
    ['POST /Desks {}', 200, { id: 1 }],
    ['POST /Desks/kept', 404],
    ['POST /Desks/opened', 204],
    ['POST /Desks/1/seen', 204]
  ])
})

t.test('patterns switch off what they match, unless a name says otherwise', async (t) => {
  const models = {
    Shut: shares({ 'find*': false, findOne: true, 'prototype.*': false }),
    Global: shares({ '*': true })
  }
  const files = { 'server/config.json': { restApiRoot: '/api', remoting: { sharedMethods: { count: false } } } }
  await answersAsLoopback(
    t,
    models,
    [
      ['GET /Shuts', 404],
      ['GET /Shuts/1', 404],
      ['GET /Shuts/findOne', 404],
      ['PATCH /Shuts/1 {}', 404],
      ['GET /Shuts/count', 404],
      ['GET /Globals/count', 404],
      ['GET /Globals', 200, []]
    ],
    files
  )
})

t.test('methods of relations are switched off by * of all models, and by their own names', async (t) => {
  const part = { file: { properties: { n: 'number' } } }
  const relations = { parts: { type: 'hasMany', model: 'Part', foreignKey: 'deskId' } }
  const config = (sharedMethods: Readonly<Record<string, boolean>>) => ({
    'server/config.json': { restApiRoot: '/api', remoting: { sharedMethods } }
  })
  for (const models of [
    { Part: part, Desk: { file: { relations } } },
    { Desk: { file: { relations } }, Part: part }
  ]) {
    const all = config({ '*': false, create: true, find: true })
    await answersAsLoopback(
      t,
      models,
      [
        ['POST /Desks {}', 200],
        ['GET /Desks', 200],
        ['GET /Desks/1/parts', 404]
      ],
      all
    )
    const named = config({ deleteById: false, __count__parts: false, 'prototype.__get__parts': false })
    const server = await answersAsLoopback(
      t,
      models,
      [
        ['POST /Desks {}', 200],
        ['POST /Desks/1/parts {}', 200],
        ['GET /Desks/1/parts', 404],
        ['GET /Desks/1/parts/count', 200],
        ['DELETE /Parts/1', 404],
        ['DELETE /Desks/1/parts/1', 204]
      ],
      named
    )
    t.match(notesOf(server), [/__count__parts: unknown method; .* prototype.__count__parts/])
  }
})

t.test('the report names patterns that match no method', async (t) => {
  const server = await bootApp(t, filesOf({ Desk: shares({ 'fnid*': false, 'find*': true }) }))
  const told = notesOf(server).filter((note) => note.includes('sharedMethods.f'))
  t.match(told, [/fnid\*: unknown method/])
  t.equal(told.length, 1)
})
