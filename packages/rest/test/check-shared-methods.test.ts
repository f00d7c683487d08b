import { memory } from '@modelwire/connector-memory'
import { modelwire } from '@modelwire/core'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { rest, type RestOptions } from '#src/index.ts'

type Shared = NonNullable<RestOptions['sharedMethods']>

/** What the log of a start warned of. */
async function warnings(t: Test, own: Shared, all: Shared = {}, compat = false): Promise<string[]> {
  const lines: string[] = []
  const app = Fastify({ logger: { level: 'warn', stream: { write: (line: string) => void lines.push(line) } } })
  t.teardown(() => app.close())
  const models = [{ name: 'Book', public: true, remoting: { sharedMethods: own } }] as const
  await app.register(modelwire, { dataSources: { db: memory() }, models, compat })
  await app.register(rest, { prefix: '/api', sharedMethods: all })
  await app.ready()
  return lines.filter((line) => line.includes('sharedMethods'))
}

t.test('names that mean no method are told in one line', async (t) => {
  const [line, ...more] = await warnings(t, { creat: false, find: true }, { deleteAl: false, count: false })
  t.match(line, /sharedMethods contains unknown methods: deleteAl, Book\.creat"/)
  t.strictSame(more, [])
})

t.test('aliases, names without prototype, and patterns are known', async (t) => {
  const known = { '*': false, 'find*': true, upsert: true, updateAttributes: true, 'prototype.patchAttributes': true }
  t.strictSame(await warnings(t, known, { deleteById: true }), [])
})

t.test('an application of LoopBack has its own report', async (t) => {
  t.strictSame(await warnings(t, { creat: false }, {}, true), [])
})
