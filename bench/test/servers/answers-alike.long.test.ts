import { createTestDatabase } from '@modelwire/connector-tests/mongodb'
import { whyNoServer } from '@modelwire/connector-tests/mysql'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { compareAnswers, type Ask } from '#src/compare-answers.ts'
import { databases, type SqlDatabase } from '#src/databases.ts'
import { tablesKinds } from '#src/servers/bench-tables.ts'
import type { BenchServer } from '#src/servers/bench-server.ts'
import { fillMongodb } from '#src/servers/fill-mongodb.ts'
import { buildHandwrittenMongodb } from '#src/servers/handwritten-mongodb.ts'
import { buildHandwrittenSql } from '#src/servers/handwritten-sql.ts'
import { buildModelwireMongodb } from '#src/servers/modelwire-mongodb.ts'
import { buildHandwritten } from '#src/servers/handwritten.ts'
import { buildModelwire } from '#src/servers/modelwire.ts'
import { makeRequests, workloads } from '#src/workloads.ts'

const rows = 300
const few = 50
const count = { method: 'GET', path: '/api/Products/count' } as const

const askInside =
  (app: FastifyInstance): Ask =>
  async ({ method, path, body }) => {
    const json = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await app.inject({ method, url: path, ...json, headers: { 'content-type': 'application/json' } })
    return { status: response.statusCode, type: String(response.headers['content-type']), body: response.json() }
  }

for (const workload of workloads) {
  t.test(`hand-written and Modelwire answer ${workload.name} alike, with and without an index`, async (t) => {
    const sides = {
      handwritten: buildHandwritten(rows),
      modelwire: await buildModelwire(rows, { indexed: false }),
      indexed: await buildModelwire(rows, { indexed: true })
    }
    const apps = Object.entries(sides).map(([name, { app }]) => [name, app] as const)
    t.teardown(() => Promise.all(apps.map(([, app]) => app.close())))
    const asked = Object.fromEntries(apps.map(([name, app]) => [name, askInside(app)]))
    await t.resolves(compareAnswers(workload, makeRequests(workload, { rows }, 30), asked))
  })
}

interface Side {
  readonly app: FastifyInstance
  readonly server: BenchServer
}

/** All workloads are answered alike, and what they created is removed afterwards. */
async function compareSides(
  t: Test,
  sides: Readonly<Record<string, Side>>,
  idOf: (at: number) => string
): Promise<void> {
  const apps = Object.entries(sides)
  const asked = Object.fromEntries(apps.map(([name, { app }]) => [name, askInside(app)]))
  for (const workload of workloads)
    await t.resolves(compareAnswers(workload, makeRequests(workload, { rows: few, idOf }, 5), asked), workload.name)
  for (const [name, { app, server }] of apps) {
    t.same((await askInside(app)(count)).body, { count: few + 5 }, name)
    await server.restore()
    t.same((await askInside(app)(count)).body, { count: few }, name)
  }
}

const reasons: Readonly<Record<SqlDatabase, string | false>> = { postgresql: false, mysql: await whyNoServer() }
for (const database of ['postgresql', 'mysql'] as const)
  for (const tables of tablesKinds) {
    const skip = reasons[database]
    t.test(
      `hand-written in both ways and Modelwire answer alike on ${database}, ${tables} tables`,
      { skip },
      async (t) => {
        const open = async <Built extends Side>(build: (url: string) => Promise<Built>): Promise<Built> => {
          const { url, drop } = await databases[database].create()
          const built = await build(url)
          t.teardown(async () => {
            await built.server.close()
            await drop()
          })
          return built
        }
        const byHand = (asJson: boolean) =>
          open((databaseUrl) => buildHandwrittenSql(few, { database, databaseUrl, tables, asJson }))
        const sides = {
          rows: await byHand(false),
          json: await byHand(true),
          modelwire: await open((databaseUrl) =>
            buildModelwire(few, { indexed: true, on: { database, databaseUrl, tables } })
          )
        }
        await compareSides(t, sides, String)
      }
    )
  }

t.test('hand-written and Modelwire answer alike on MongoDB', async (t) => {
  const sides = {
    handwritten: await onMongodb(t, buildHandwrittenMongodb),
    modelwire: await onMongodb(t, buildModelwireMongodb)
  }
  await compareSides(t, sides, databases.mongodb.idOf)
})

async function onMongodb(t: Test, build: typeof buildModelwireMongodb) {
  const database = await createTestDatabase()
  await fillMongodb(database.client, few)
  const side = await build(few, database.url)
  t.teardown(async () => {
    await side.server.close()
    await database.drop()
  })
  return side
}

t.test('restoring removes what was created and nothing else', async (t) => {
  for (const { app, server } of [buildHandwritten(rows), await buildModelwire(rows, { indexed: false })]) {
    t.teardown(() => app.close())
    const create = workloads.find(({ name }) => name === 'W5')
    if (create === undefined) throw new Error('W5 is gone')
    for (const request of makeRequests(create, { rows }, 5)) await askInside(app)(request)
    t.same((await askInside(app)(count)).body, { count: rows + 5 })
    await server.restore()
    t.same((await askInside(app)(count)).body, { count: rows })
  }
})
