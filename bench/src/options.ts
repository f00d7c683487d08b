import { parseArgs } from 'node:util'
import { type DatabaseName, databases, usualRows } from './databases.ts'
import { isOther, type OtherName, others } from './others/others.ts'
import { type TablesKind, tablesKinds } from './servers/bench-tables.ts'
import { workloads, type Workload } from './workloads.ts'

const measurements = [
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
  'statements',
  'mixed'
] as const
/** What can be measured. */
export type Measurement = (typeof measurements)[number]

const commandNames = [...measurements, 'report'] as const

/** Where records are. */
export interface Place {
  /** In the servers' own memory when absent. */
  readonly database: DatabaseName | undefined
  /** Whose tables they are in there. */
  readonly tables: TablesKind
  /** Products; by default those of a slow database are fewer. */
  readonly rows: number
}

/** Options of all commands; each reads those that concern it. */
export interface BenchOptions {
  readonly command: (typeof commandNames)[number]
  readonly workloads: readonly Workload[]
  /** Runs of each server and workload, one beside the other. */
  readonly pairs: number
  /** Requests at the same time. */
  readonly connections: number
  /** How long a run is looked at. */
  readonly seconds: number
  /** Writes of one block of `changes`. */
  readonly requests: number
  /** Products, in the first place where there are several. */
  readonly rows: number
  /** Different requests of a workload, sent again and again. */
  readonly distinct: number
  /** Where `load` keeps the records, one after the other. */
  readonly places: readonly [Place, ...Place[]]
  /** Other frameworks that take part where their records are. */
  readonly others: readonly OtherName[]
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
  /** The steps of `report`; all when absent. */
  readonly steps: readonly string[] | undefined
  /** `report` measures nothing, and draws what is kept. */
  readonly draw: boolean
  /** `report` drops kept results of other commits, machines and options. */
  readonly again: boolean
  /** `report` measures little, to see that everything works. */
  readonly short: boolean
}

/** An option of the benchmark is unknown or has a value that it cannot have. */
export class InvalidBenchOption extends Error {
  readonly code = 'BENCH_OPTION_INVALID'
}

/** What is printed for `--help` and beside an error. */
export const usage = `pnpm bench [load]     Modelwire beside hand-written servers
  --database postgresql,mysql   where records are, one after the other: memory, postgresql, mysql, mongodb; memory when absent.
                      On MODELWIRE_POSTGRESQL_URL, MODELWIRE_MYSQL_URL and MODELWIRE_MONGODB_URL or on this machine; without the last
                      on a server of the tests, with fewer --rows
  --tables own,loopback   there in tables of each server's own, in those of LoopBack's connector, or in both
  --workloads W1,W5   only these; all when absent
  --pairs 7           runs of each server and workload
  --connections 16    requests at the same time
  --seconds 1         how long a run is looked at
  --rows 10000        products; three times as many reviews
  --distinct 1000     different requests of a workload, sent again and again
  --others loopback,feathers,platformatic   as further servers, installed on first use: the first two in memory, the last one on
                      PostgreSQL, in tables of its own
  --profile DIR       writes a CPU profile per server and workload
  --json FILE         writes all numbers after each round; goes on with a FILE that is not finished
pnpm bench growth     Modelwire with more and more rows
  --sizes 1000,10000,100000,1000000
  --pairs, --connections, --seconds
pnpm bench start      Modelwire with many models until it listens, beside plain Fastify with as many routes
  --models 200        of ten properties each
  --spawns 5
pnpm bench access     Modelwire with access rules beside itself without
  --workloads W1 or W2; --spawns, --pairs, --connections, --seconds, --rows, --distinct, --profile
pnpm bench ops        Modelwire with metrics, and with traces, beside itself without
  --spawns, --pairs, --connections, --seconds, --rows, --distinct, --database postgresql, --profile
pnpm bench logins     how long reads take while people log in
  --logins 1000       at once
  --pairs, --rows
pnpm bench oauth2     issuing and checking tokens, beside oidc-provider
  --pairs, --connections, --seconds, --profile
pnpm bench processes  throughput of 1, 2 and 4 processes on PostgreSQL, and who needs the CPU
  --workloads W1,W3,W5; --pairs, --connections, --seconds, --rows, --distinct
pnpm bench changes    what a logged write costs on PostgreSQL and MariaDB, beside one that is not logged
  --pairs, --requests
pnpm bench statements statements and bytes of a request on PostgreSQL, with more rows and more models
  --sizes 1000,100000; --models 200
pnpm bench mixed      all workloads at once on PostgreSQL, while clients leave: whether requests get slower with time
  --minutes 30
pnpm bench streams    CPU per event and reader of change streams, and memory of many that are open while records change
  --streams 5000
  --minutes 10
  --pairs
pnpm bench report     the page docs/figures.md and its pictures; goes on where it was stopped
  --steps memory,growth   only these; all when absent
  --draw              measures nothing, and draws what was measured before
  --again             drops what was measured in other commits or on other machines
  --short             one round of everything, to try it, in another folder
all commands
  --json FILE         writes all numbers`

const texts = { type: 'string' } as const
const flag = { type: 'boolean', default: false } as const
const known = {
  workloads: texts,
  pairs: texts,
  connections: texts,
  seconds: texts,
  requests: texts,
  rows: texts,
  distinct: texts,
  database: texts,
  tables: texts,
  others: texts,
  json: texts,
  profile: texts,
  sizes: texts,
  spawns: texts,
  models: texts,
  logins: texts,
  streams: texts,
  minutes: texts,
  steps: texts,
  draw: flag,
  again: flag,
  short: flag
} as const

/** Reads the command line. @throws {InvalidBenchOption} */
export function parseOptions(args: readonly string[]): BenchOptions {
  const { values, positionals } = parse(args)
  const rows = values.rows === undefined ? undefined : readCount('rows', values.rows, usualRows)
  const places = readPlaces(values.database, values.tables, rows)
  return {
    command: readCommand(positionals),
    workloads: readWorkloads(values.workloads),
    pairs: readCount('pairs', values.pairs, 7),
    connections: readCount('connections', values.connections, 16),
    seconds: readCount('seconds', values.seconds, 1),
    requests: readCount('requests', values.requests, 20_000),
    rows: places[0].rows,
    distinct: readCount('distinct', values.distinct, 1000),
    places,
    others: readOthers(values.others, places),
    json: values.json,
    profile: values.profile,
    sizes: (values.sizes ?? '1000,10000,100000,1000000').split(',').map((size) => readCount('sizes', size, 1000)),
    spawns: readCount('spawns', values.spawns, 5),
    models: readCount('models', values.models, 200),
    logins: readCount('logins', values.logins, 1000),
    streams: readCount('streams', values.streams, 5000),
    minutes: readCount('minutes', values.minutes, 10),
    steps: values.steps?.split(',').map((name) => name.trim()),
    draw: values.draw,
    again: values.again,
    short: values.short
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: known, allowPositionals: true })
  } catch (cause) {
    throw new InvalidBenchOption(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

function readCommand([command = 'load', ...further]: readonly string[]): BenchOptions['command'] {
  if (further.length > 0) throw new InvalidBenchOption(`one command at a time, not "${further.join(' ')}" too`)
  const found = commandNames.find((name) => name === command)
  if (found === undefined) throw new InvalidBenchOption(`there is no command "${command}"`)
  return found
}

/** All pairs of a database and a kind of tables. */
function readPlaces(names = 'memory', kinds = 'own', rows?: number): BenchOptions['places'] {
  const tables = kinds.split(',').map(readTables)
  const places = names.split(',').flatMap((name) => tables.map((kind) => readPlace(name, kind, rows)))
  const [first, ...further] = places
  if (first === undefined) throw new InvalidBenchOption('there is no place for records')
  return [first, ...further]
}

function readPlace(name: string, tables: TablesKind, rows?: number): Place {
  if (name !== 'memory' && !isDatabase(name))
    throw new InvalidBenchOption(`there is no benchmark on the database "${name}"`)
  const database = name === 'memory' ? undefined : name
  if (tables !== 'own' && (database === undefined || !databases[database].hasTables))
    throw new InvalidBenchOption(`--tables ${tables} needs --database postgresql or mysql`)
  return { database, tables, rows: rows ?? (database === undefined ? usualRows : databases[database].rows()) }
}

const isDatabase = (name: string): name is DatabaseName => Object.hasOwn(databases, name)

function readTables(name: string): TablesKind {
  const found = tablesKinds.find((kind) => kind === name)
  if (found === undefined) throw new InvalidBenchOption(`there are no tables of "${name}"`)
  return found
}

function readOthers(text: string | undefined, places: BenchOptions['places']): readonly OtherName[] {
  const names = text === undefined ? [] : text.split(',').map((name) => name.trim())
  return names.map((name) => {
    if (!isOther(name)) throw new InvalidBenchOption(`there is no other framework "${name}"`)
    const { database } = others[name]
    const takesPart = places.some((place) => place.database === database && place.tables === 'own')
    if (!takesPart) throw new InvalidBenchOption(`${name} needs --database ${database ?? 'memory'}`)
    return name
  })
}

function readWorkloads(text: string | undefined): readonly Workload[] {
  if (text === undefined) return workloads
  const names = text.split(',').map((name) => name.trim().toUpperCase())
  const unknown = names.find((name) => !workloads.some((workload) => workload.name === name))
  if (unknown !== undefined) throw new InvalidBenchOption(`there is no workload "${unknown}"`)
  return workloads.filter(({ name }) => names.includes(name))
}

function readCount(name: string, text: string | undefined, fallback: number): number {
  const count = text === undefined ? fallback : Number(text)
  if (!Number.isInteger(count) || count < 1)
    throw new InvalidBenchOption(`--${name} must be a whole number from 1, not "${text}"`)
  return count
}
