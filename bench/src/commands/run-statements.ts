import { setTimeout as pause } from 'node:timers/promises'
import { changes } from '@modelwire/changes'
import { postgresql } from '@modelwire/connector-postgresql'
import { createTestDatabase } from '@modelwire/connector-tests/postgresql'
import { migrate, modelwire, type ModelDefinition } from '@modelwire/core'
import { relations } from '@modelwire/relations'
import { rest } from '@modelwire/rest'
import Fastify, { type FastifyInstance } from 'fastify'
import type { BenchOptions } from '../options.ts'
import { type Column, formatNumber, printTable } from '../print-table.ts'
import { defineModels } from '../servers/bench-models.ts'
import { fillTables } from '../servers/fill-tables.ts'
import { openDriver } from '../servers/sql-drivers.ts'
import { ourTables } from '../servers/modelwire.ts'
import { makeRequests, type Workload, workloads } from '../workloads.ts'

/** What a request asks of the database, and answers. */
export interface StatementsLine {
  readonly rows: number
  readonly models: number
  readonly title: string
  readonly statements: number
  /** Bytes of the answer. */
  readonly bytes: number
}

/** Requests of each workload. */
const sent = 100
const mostRows = 100_000
/** Milliseconds for which a process without requests is watched. */
const idleTime = 20_000

interface Counted {
  readonly app: FastifyInstance
  readonly count: () => number
}

const further = (count: number): ModelDefinition[] =>
  Array.from({ length: Math.max(0, count - 2) }, (_, at) => ({
    name: `Further${at}`,
    public: true,
    strict: true,
    properties: Object.fromEntries(Array.from({ length: 10 }, (_value, column) => [`property${column}`, 'string']))
  }))

async function open(url: string, models: number, logs: boolean): Promise<Counted> {
  let statements = 0
  const app = Fastify()
  const db = postgresql({ url, onStatement: () => statements++ })
  const { Product, Review } = defineModels({ indexed: true })
  const own = logs ? { Product: { ...Product, changeLog: true }, Review } : { Product, Review }
  await app.register(modelwire, {
    dataSources: { db },
    models: { ...own, ...Object.fromEntries(further(models).map((model) => [model.name, model])) }
  })
  if (logs) await app.register(changes)
  await app.register(relations)
  await app.register(rest, { prefix: '/api' })
  await migrate(app.models)
  await app.ready()
  return { app, count: () => statements }
}

async function ask({ app, count }: Counted, workload: Workload, rows: number): Promise<Omit<StatementsLine, 'models'>> {
  const requests = makeRequests(workload, { rows }, sent)
  const before = count()
  let bytes = 0
  for (const { method, path, body } of requests) {
    const answer = await app.inject({ method, url: path, ...(body === undefined ? {} : { payload: { ...body } }) })
    bytes += answer.rawPayload.length
  }
  const { name, title } = workload
  return { rows, title: `${name} ${title}`, statements: (count() - before) / sent, bytes: bytes / sent }
}

async function measureSize(rows: number, models: number): Promise<StatementsLine[]> {
  const database = await createTestDatabase()
  const counted = await open(database.url, models, false)
  const driver = openDriver('postgresql', database.url)
  await fillTables(driver, rows, ourTables('postgresql'))
  await driver.close()
  const lines: StatementsLine[] = []
  for (const workload of workloads.filter(({ leaves }) => leaves === undefined))
    lines.push({ ...(await ask(counted, workload, rows)), models })
  await counted.app.close()
  await database.drop()
  return lines
}

/** Statements in a second of a process that nobody calls, with a log of changes and without. */
async function measureIdle(): Promise<StatementsLine[]> {
  const lines: StatementsLine[] = []
  for (const logs of [false, true]) {
    const database = await createTestDatabase()
    const { app, count } = await open(database.url, 2, logs)
    await pause(2000)
    const before = count()
    await pause(idleTime)
    const statements = (count() - before) / (idleTime / 1000)
    const title = logs ? 'a second without requests, a model logs its changes' : 'a second without requests'
    lines.push({ rows: 0, models: 2, title, statements, bytes: 0 })
    await app.close()
    await database.drop()
  }
  return lines
}

/** Counts what requests ask of a database, and how long their answers are, with more rows and with more models. */
export async function runStatements(
  options: BenchOptions,
  print: (text: string) => void
): Promise<readonly StatementsLine[]> {
  // The rows are sent as one text.
  const sizes = options.sizes.filter((size) => size <= mostRows)
  const few = Math.min(...sizes)
  const lines = await measureIdle()
  for (const rows of sizes) lines.push(...(await measureSize(rows, 2)))
  lines.push(...(await measureSize(few, options.models)))
  print(printTable(columns, lines))
  return lines
}

const columns: readonly Column<StatementsLine>[] = [
  { heading: 'workload', side: 'left', cell: ({ title }) => title },
  { heading: 'rows', cell: ({ rows }) => rows.toLocaleString('en-US') },
  { heading: 'models', cell: ({ models }) => String(models) },
  { heading: 'statements', cell: ({ statements }) => formatNumber(statements) },
  { heading: 'bytes', cell: ({ bytes }) => formatNumber(bytes) }
]
