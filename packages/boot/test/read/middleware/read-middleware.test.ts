import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { AppFolder } from '#src/read/files/app-folder.ts'
import { collectNotes } from '#src/boot-report.ts'
import { readConfig } from '#src/read/config/read-config.ts'
import type { MiddlewareEntry } from '@modelwire/loopback/express'
import { mergeMiddleware, readMiddleware } from '#src/read/middleware/read-middleware.ts'
import { makeAppFolder } from '../../make-app.ts'

const findVariable = (name: string): unknown => ({ restApiRoot: '/api' })[name]

interface Read {
  folder: AppFolder
  entries: MiddlewareEntry[]
  notes: readonly object[]
}

async function read(t: Test, main: object, variant?: object): Promise<Read> {
  const folder = await makeAppFolder(
    t,
    { 'server/middleware.json': main, 'server/middleware.test.json': variant },
    'test'
  )
  const config = readConfig(folder, 'middleware', mergeMiddleware)
  const { notes, add } = collectNotes()
  return { folder, notes, entries: readMiddleware(config, { folder, findVariable, add }) }
}

const names = (entries: MiddlewareEntry[]): string[] => entries.map(({ name }) => name)

void t.test('gives middleware in the order in which requests meet it', async (t) => {
  const { entries } = await read(t, {
    initial: { b: {} },
    'initial:before': { a: {} },
    routes: { c: {}, d: {} },
    'final:after': { e: {} }
  })
  t.strictSame(names(entries), ['a', 'b', 'c', 'd', 'e'])
})

void t.test('fills in variables and resolves paths', async (t) => {
  const { entries, folder } = await read(t, {
    routes: { a: { paths: ['${restApiRoot}'], params: { root: '$!../client', list: ['$!x'], n: 1 }, methods: ['GET'] } }
  })
  t.match(entries, [
    {
      paths: ['/api'],
      methods: ['GET'],
      params: { root: join(folder.root, 'client'), list: [join(folder.serverDir, 'x')], n: 1 }
    }
  ])
})

void t.test('leaves out what is switched off', async (t) => {
  const { entries } = await read(t, { initial: { a: { enabled: false }, b: [{ enabled: false }, { params: 1 }] } })
  t.match(entries, [{ name: 'b', params: 1 }])
  t.equal(entries.length, 1)
})

void t.test("merges the environment's file into the main one", async (t) => {
  const main = { initial: { a: { params: { x: 1, y: { z: 1 } } } } }
  const { entries } = await read(t, main, { initial: { a: { params: { y: { q: 2 } } }, b: {} } })
  t.match(entries, [{ name: 'a', params: { x: 1, y: { z: 1, q: 2 } } }, { name: 'b' }])
})

void t.test('merges lists by the names of their items', async (t) => {
  const main = {
    initial: {
      a: [
        { name: 'one', params: 1 },
        { name: 'two', params: 2 }
      ]
    }
  }
  const { entries } = await read(t, main, {
    initial: {
      a: [
        { name: 'two', params: 3 },
        { name: 'three', params: 4 }
      ]
    }
  })
  t.strictSame(
    entries.map(({ params }) => params),
    [1, 3, 4]
  )
})

void t.test('a variant can switch a middleware off', async (t) => {
  const { entries } = await read(t, { initial: { a: {} } }, { initial: { a: { enabled: false } } })
  t.strictSame(entries, [])
})

void t.test('tells of unknown variables', async (t) => {
  const { entries, notes } = await read(t, { initial: { a: { params: { x: '${NOPE}' } } } })
  t.strictSame(entries[0]?.params, {})
  t.match(notes, [{ key: 'initial.a', reason: /NOPE/ }])
})

const refused: [string, object, string][] = [
  ['a phase that is no object', { initial: [] }, 'initial'],
  ['a middleware that is no object', { initial: { a: null } }, 'initial.a'],
  ['a list that holds something else', { initial: { a: [{}, 1] } }, 'initial.a']
]

for (const [name, main, key] of refused) {
  void t.test(`refuses ${name}`, async (t) => {
    await t.rejects(read(t, main), { code: 'CONFIG_VALUE_INVALID', where: { file: 'server/middleware.json', key } })
  })
}
