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

/** What one write of a block took, in microseconds. */
export interface Write {
  readonly wall: number
  /** CPU of this process: the server, and the client that asks it. */
  readonly cpu: number
}

/** Blocks of writes to a model that logs its changes and to one that does not. */
export interface ChangesLine {
  readonly database: string
  readonly atOnce: number
  readonly plain: Write[]
  readonly logged: Write[]
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

/** One write, of many in a row by so many clients. */
async function writeBlock(app: FastifyInstance, url: string, size: number, atOnce: number): Promise<Write> {
  const payload = makeProduct(createRandom(5), 0)
  let left = size
  const client = async (): Promise<void> => {
    while (left-- > 0) {
      const { statusCode, body } = await app.inject({ method: 'POST', url, payload })
      if (statusCode !== 200) throw new Error(body)
    }
  }
  const [begin, before] = [performance.now(), process.cpuUsage()]
  await Promise.all(Array.from({ length: atOnce }, client))
  const { user, system } = process.cpuUsage(before)
  return { wall: ((performance.now() - begin) * 1000) / size, cpu: (user + system) / size }
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

const micros = (writes: readonly Write[], part: keyof Write): string =>
  formatNumber(median(writes.map((each) => each[part])))

const ratiosOf = ({ plain, logged }: ChangesLine, part: keyof Write): number[] =>
  logged.map((write, at) => write[part] / (plain[at]?.[part] ?? NaN))

function ratioText(line: ChangesLine, part: keyof Write): string {
  const ratios = ratiosOf(line, part)
  const [low, high] = [percentile(ratios, 0.25), percentile(ratios, 0.75)]
  return `${formatNumber(median(ratios))} (${formatNumber(low)}–${formatNumber(high)})`
}

const columns: readonly Column<ChangesLine>[] = [
  { heading: 'database', side: 'left', cell: ({ database }) => database },
  { heading: 'clients', cell: ({ atOnce }) => String(atOnce) },
  { heading: 'plain µs', cell: ({ plain }) => micros(plain, 'wall') },
  { heading: 'logged µs', cell: ({ logged }) => micros(logged, 'wall') },
  { heading: 'ratio (quartiles)', cell: (line) => ratioText(line, 'wall') },
  { heading: 'plain CPU µs', cell: ({ plain }) => micros(plain, 'cpu') },
  { heading: 'logged CPU µs', cell: ({ logged }) => micros(logged, 'cpu') },
  { heading: 'ratio (quartiles)', cell: (line) => ratioText(line, 'cpu') }
]
