import { changes } from '@modelwire/changes'
import { mysql } from '@modelwire/connector-mysql'
import { postgresql } from '@modelwire/connector-postgresql'
import { createTestDatabase as createMysql, whyNoServer } from '@modelwire/connector-tests/mysql'
import { createTestDatabase as createPostgresql } from '@modelwire/connector-tests/postgresql'
import { migrate, modelwire } from '@modelwire/core'
import type { Connector } from '@modelwire/core/connector'
import { rest } from '@modelwire/rest'
import Fastify, { type FastifyInstance } from 'fastify'
import { makeProduct } from '../bench-data.ts'
import type { BenchOptions } from '../options.ts'
import { type Column, formatNumber, printTable } from '../print-table.ts'
import { createRandom } from '../random.ts'
import { median, percentile } from '../statistics.ts'
import { inTurns } from '../measure-run.ts'

/** Blocks of writes to a model that logs its changes and to one that does not: milliseconds of each write. */
export interface ChangesLine {
  readonly database: string
  readonly atOnce: number
  readonly plain: number[]
  readonly logged: number[]
}

const properties = {
  name: 'string',
  description: 'string',
  price: 'number',
  inStock: 'boolean',
  category: 'string',
  stock: 'number',
  created: 'date'
}

const shared = { public: true, strict: true, properties }
const models = [
  { name: 'Plain', ...shared },
  { name: 'Logged', ...shared, changeLog: true }
]

const databases = [
  { name: 'PostgreSQL', create: createPostgresql, connect: (url: string): Connector => postgresql({ url }) },
  { name: 'MariaDB', create: createMysql, connect: (url: string): Connector => mysql({ url }), skip: whyNoServer }
]

const blocksPerPair = 4

async function open(connector: Connector): Promise<FastifyInstance> {
  const app = Fastify()
  await app.register(modelwire, { dataSources: { db: connector }, models })
  await app.register(changes)
  await app.register(rest, { prefix: '/api' })
  await migrate(app.models)
  await app.ready()
  return app
}

/** Milliseconds of one write, of many in a row by so many clients. */
async function writeBlock(app: FastifyInstance, url: string, size: number, atOnce: number): Promise<number> {
  const payload = makeProduct(createRandom(5), 0)
  let left = size
  const client = async (): Promise<void> => {
    while (left-- > 0) {
      const { statusCode, body } = await app.inject({ method: 'POST', url, payload })
      if (statusCode !== 200) throw new Error(body)
    }
  }
  const begin = performance.now()
  await Promise.all(Array.from({ length: atOnce }, client))
  return (performance.now() - begin) / size
}

async function measure(app: FastifyInstance, line: ChangesLine, { pairs, requests }: BenchOptions): Promise<void> {
  const size = Math.max(50, Math.round(requests / 50))
  const kinds = [
    { url: '/api/Plains', times: line.plain },
    { url: '/api/Loggeds', times: line.logged }
  ]
  for (const { url } of kinds) await writeBlock(app, url, size, line.atOnce)
  for (let round = 0; round < pairs * blocksPerPair; round++)
    for (const { url, times } of inTurns(kinds, round)) times.push(await writeBlock(app, url, size, line.atOnce))
}

/** Measures what it costs that a database logs a change: blocks of writes to both models take turns in one process. */
export async function runChanges(
  options: BenchOptions,
  print: (text: string) => void
): Promise<readonly ChangesLine[]> {
  const lines: ChangesLine[] = []
  for (const { name, create, connect, skip } of databases) {
    const why = (await skip?.()) ?? false
    if (why !== false) {
      print(`${name} is left out: ${why}`)
      continue
    }
    const database = await create()
    const app = await open(connect(database.url))
    for (const atOnce of [1, 8]) {
      const line: ChangesLine = { database: name, atOnce, plain: [], logged: [] }
      await measure(app, line, options)
      lines.push(line)
    }
    await app.close()
    await database.drop()
  }
  print(printTable(columns, lines))
  return lines
}

const micros = (values: readonly number[]): string => formatNumber(median(values) * 1000)
const ratiosOf = ({ plain, logged }: ChangesLine): number[] => logged.map((value, at) => value / (plain[at] ?? NaN))

const columns: readonly Column<ChangesLine>[] = [
  { heading: 'database', side: 'left', cell: ({ database }) => database },
  { heading: 'clients', cell: ({ atOnce }) => String(atOnce) },
  { heading: 'plain µs', cell: ({ plain }) => micros(plain) },
  { heading: 'logged µs', cell: ({ logged }) => micros(logged) },
  { heading: 'logged ÷ plain', cell: (line) => formatNumber(median(ratiosOf(line))) },
  {
    heading: 'quartiles',
    cell: (line) => `${formatNumber(percentile(ratiosOf(line), 0.25))}–${formatNumber(percentile(ratiosOf(line), 0.75))}`
  }
]
