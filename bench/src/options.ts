import { parseArgs } from 'node:util'
import { type DatabaseName, databases, usualSizes } from './databases.ts'
import type { TablesKind } from './servers/bench-tables.ts'
import { workloads, type Workload } from './workloads.ts'

const commandNames = [
  'load',
  'growth',
  'start',
  'access',
  'ops',
  'logins',
  'oauth2',
  'streams',
  'processes',
  'changes',
  'statements'
] as const
/** What can be measured. */
export type CommandName = (typeof commandNames)[number]

/** Options of all commands; each reads those that concern it. */
export interface BenchOptions {
  readonly command: CommandName
  readonly workloads: readonly Workload[]
  /** Runs of each server and workload, one beside the other. */
  readonly pairs: number
  /** Requests of one run of a quick workload; slower ones send a share of it. */
  readonly requests: number
  /** Products of `load`. */
  readonly rows: number
  /** Different requests of a workload, sent again and again. */
  readonly distinct: number
  /** Where `load` keeps the records: in the servers' own memory when absent. */
  readonly database: DatabaseName | undefined
  /** Whose tables they are in there: those of LoopBack's connector are only read. */
  readonly tables: TablesKind
  /** Folder where LoopBack 3 is installed. */
  readonly loopback: string | undefined
  /** File that gets all numbers. */
  readonly json: string | undefined
  /** Folder that gets a CPU profile per server and workload. */
  readonly profile: string | undefined
  /** Products of `growth`, one measurement for each. */
  readonly sizes: readonly number[]
  /** How often `start`, `access` and `ops` start their servers. */
  readonly spawns: number
  /** Models of `start`. */
  readonly models: number
  /** Logins of `logins`, all at once. */
  readonly logins: number
  /** Change streams of `streams`, all open at once. */
  readonly streams: number
  /** For how long `streams` writes. */
  readonly minutes: number
}

/** An option of the benchmark is unknown or has a value that it cannot have. */
export class InvalidBenchOption extends Error {
  readonly code = 'BENCH_OPTION_INVALID'
}

/** What is printed for `--help` and beside an error. */
export const usage = `pnpm bench [load]     Modelwire beside a hand-written server
  --workloads W1,W5   only these; all when absent
  --pairs 7           runs of each server and workload
  --requests 20000    requests of one run of a quick workload
  --rows 10000        products; three times as many reviews
  --distinct 1000     different requests of a workload, sent again and again
  --database postgresql   both keep their records in PostgreSQL, at MODELWIRE_POSTGRESQL_URL or on this machine
  --database mongodb  both keep their records in MongoDB, at MODELWIRE_MONGODB_URL; without it on a server of the tests, with
                      fewer --rows and --requests
  --tables loopback   there in tables as LoopBack's connector makes them; only reads
  --loopback DIR      LoopBack 3, installed in DIR, as a third server
  --profile DIR       writes a CPU profile per server and workload
pnpm bench growth     Modelwire with more and more rows
  --sizes 1000,10000,100000,1000000
  --pairs, --requests
pnpm bench start      Modelwire with many models, until it listens
  --models 200        of ten properties each
  --spawns 5
pnpm bench access     Modelwire with access rules beside itself without
  --workloads W1 or W2; --spawns, --pairs, --requests, --rows, --distinct, --profile
pnpm bench ops        Modelwire with metrics, and with traces, beside itself without
  --spawns, --pairs, --requests, --rows, --distinct, --database postgresql, --profile
pnpm bench logins     how long reads take while people log in
  --logins 1000       at once
  --pairs, --rows
pnpm bench oauth2     issuing and checking tokens, beside oidc-provider
  --pairs, --requests, --profile
pnpm bench processes  throughput of 1, 2 and 4 processes on PostgreSQL, and who needs the CPU
  --workloads W1,W3,W5; --pairs, --requests, --rows, --distinct
pnpm bench changes    what a logged write costs on PostgreSQL and MariaDB, beside one that is not logged
  --pairs, --requests
pnpm bench statements statements and bytes of a request on PostgreSQL, with more rows and more models
  --sizes 1000,100000; --models 200
pnpm bench streams    memory of change streams that are open while records change
  --streams 5000
  --minutes 10
all commands
  --json FILE         writes all numbers`

const texts = { type: 'string' } as const
const known = {
  workloads: texts,
  pairs: texts,
  requests: texts,
  rows: texts,
  distinct: texts,
  database: texts,
  tables: texts,
  loopback: texts,
  json: texts,
  profile: texts,
  sizes: texts,
  spawns: texts,
  models: texts,
  logins: texts,
  streams: texts,
  minutes: texts
} as const

/** Reads the command line. @throws {InvalidBenchOption} */
export function parseOptions(args: readonly string[]): BenchOptions {
  const { values, positionals } = parse(args)
  const database = readDatabase(values.database)
  const tables = readTables(values.tables, database)
  const sizes = database === undefined ? usualSizes : databases[database].sizes()
  return {
    command: readCommand(positionals),
    workloads: readWorkloads(values.workloads, tables),
    pairs: readCount('pairs', values.pairs, 7),
    requests: readCount('requests', values.requests, sizes.requests),
    rows: readCount('rows', values.rows, sizes.rows),
    distinct: readCount('distinct', values.distinct, 1000),
    database,
    tables,
    loopback: values.loopback,
    json: values.json,
    profile: values.profile,
    sizes: (values.sizes ?? '1000,10000,100000,1000000').split(',').map((size) => readCount('sizes', size, 1000)),
    spawns: readCount('spawns', values.spawns, 5),
    models: readCount('models', values.models, 200),
    logins: readCount('logins', values.logins, 1000),
    streams: readCount('streams', values.streams, 5000),
    minutes: readCount('minutes', values.minutes, 10)
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: known, allowPositionals: true })
  } catch (cause) {
    throw new InvalidBenchOption(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

function readCommand([command = 'load', ...others]: readonly string[]): BenchOptions['command'] {
  if (others.length > 0) throw new InvalidBenchOption(`one command at a time, not "${others.join(' ')}" too`)
  const found = commandNames.find((name) => name === command)
  if (found === undefined) throw new InvalidBenchOption(`there is no command "${command}"`)
  return found
}

function readDatabase(name: string | undefined): BenchOptions['database'] {
  if (name === undefined || isDatabase(name)) return name
  throw new InvalidBenchOption(`there is no benchmark on the database "${name}"`)
}

const isDatabase = (name: string): name is DatabaseName => Object.hasOwn(databases, name)

function readTables(name: string | undefined, database: BenchOptions['database']): TablesKind {
  if (name === undefined || name === 'own') return 'own'
  if (name !== 'loopback') throw new InvalidBenchOption(`there are no tables of "${name}"`)
  if (database !== 'postgresql') throw new InvalidBenchOption('--tables loopback needs --database postgresql')
  return name
}

function readWorkloads(text: string | undefined, tables: TablesKind): readonly Workload[] {
  const possible = tables === 'own' ? workloads : workloads.filter(({ writes }) => writes !== true)
  if (text === undefined) return possible
  const names = text.split(',').map((name) => name.trim().toUpperCase())
  const unknown = names.find((name) => !possible.some((workload) => workload.name === name))
  if (unknown !== undefined) throw new InvalidBenchOption(`there is no workload "${unknown}" on these tables`)
  return possible.filter(({ name }) => names.includes(name))
}

function readCount(name: string, text: string | undefined, fallback: number): number {
  const count = text === undefined ? fallback : Number(text)
  if (!Number.isInteger(count) || count < 1)
    throw new InvalidBenchOption(`--${name} must be a whole number from 1, not "${text}"`)
  return count
}
