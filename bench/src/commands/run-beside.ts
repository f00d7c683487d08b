import { mkdir, writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { join } from 'node:path'
import { askOverHttp, compareAnswers } from '../compare-answers.ts'
import { inTurns, loadOf, measureRun, planRuns, type Plan, type Run, warmUp } from '../measure-run.ts'
import type { BenchOptions } from '../options.ts'
import { type Column, formatNumber, formatSpread, printTable } from '../print-table.ts'
import { keepBusy } from '../send-load.ts'
import type { ServerKind } from '../servers/bench-server.ts'
import { spawnDatabaseServer, spawnServer, type RunningServer } from '../spawn-server.ts'
import { type Spread, spreadOf, spreadOfRatios, standardError } from '../statistics.ts'
import type { BenchRequest, Workload } from '../workloads.ts'

/** One workload without something and with it: lists of equal length, one run per round. */
export interface BesideLine {
  readonly title: string
  readonly without: Run[]
  readonly with: Run[]
  /** The median of each start. */
  readonly ratios: number[]
}

/** What is compared with a plain Modelwire. */
export interface Beside {
  readonly title: string
  readonly workload: Workload
  readonly kind: ServerKind
  /** Both servers get them. */
  readonly headers?: BenchRequest['headers'] & {}
}

interface Contest extends BesideLine {
  readonly kind: ServerKind
  readonly plan: Plan
}

interface Servers {
  readonly without: RunningServer
  readonly with: RunningServer
}

const compared = 20

function contestOf({ title, workload, kind, headers = {} }: Beside, options: BenchOptions): Contest {
  const plan = planRuns(workload, { ...options.places[0], distinct: options.distinct })
  const requests = plan.requests.map((request) => ({ ...request, headers }))
  return { title, kind, plan: { ...plan, requests }, without: [], with: [], ratios: [] }
}

async function startServers(kind: ServerKind, { places: [{ rows, database }] }: BenchOptions): Promise<Servers> {
  const start = async (one: ServerKind): Promise<RunningServer> =>
    database === undefined ? spawnServer({ kind: one, rows }) : spawnDatabaseServer(database, { kind: one, rows })
  const [without, beside] = await Promise.all([start('modelwire'), start(kind)])
  return { without, with: beside }
}

/**
 * Measures what parts of a server cost, each beside the same requests to a server without them. The servers are started several
 * times: one process is a little quicker than the next for as long as it lives, whatever it runs.
 */
export async function runBeside(
  besides: readonly Beside[],
  options: BenchOptions,
  print: (text: string) => void
): Promise<readonly BesideLine[]> {
  const contests = besides.map((beside) => contestOf(beside, options))
  for (let spawn = 0; spawn < options.spawns; spawn++) {
    for (const contest of contests) await measureOnce(contest, options, spawn)
    print(`${spawn + 1} of ${options.spawns} starts are measured`)
  }
  print(printTable(besideColumns, contests))
  return contests.map(({ title, without, with: runs, ratios }) => ({ title, without, with: runs, ratios }))
}

/** Measures two servers that are started for it: both have served the same when they are compared. */
async function measureOnce(contest: Contest, options: BenchOptions, spawn: number): Promise<void> {
  const servers = await startServers(contest.kind, options)
  try {
    await prepare(contest, servers, options, spawn)
    const before = contest.without.length
    for (let round = 0; round < options.pairs; round++) await runRound(contest, servers, options, spawn + round)
    contest.ratios.push(ratioOf(contest, before).median)
    if (options.profile !== undefined) await writeProfiles(contest, servers, options, options.profile)
  } finally {
    await Promise.all(Object.values(servers).map((server) => server.stop()))
  }
}

/** Looks whether both answer alike, and warms them up. */
async function prepare({ plan }: Contest, servers: Servers, options: BenchOptions, turn: number): Promise<void> {
  const asked = Object.entries(servers).map(([name, { address }]) => [name, askOverHttp(address)] as const)
  await compareAnswers(plan.workload, plan.requests.slice(0, compared), Object.fromEntries(asked))
  for (const server of inTurns(Object.values(servers), turn)) await warmUp(server, plan, options)
}

async function runRound(
  { plan, without, with: others }: Contest,
  servers: Servers,
  options: BenchOptions,
  turn: number
): Promise<void> {
  const runs = [
    { runs: without, server: servers.without },
    { runs: others, server: servers.with }
  ]
  for (const { runs: kept, server } of inTurns(runs, turn)) kept.push(await measureRun(server, plan, options))
}

async function writeProfiles(
  { kind, plan }: Contest,
  servers: Servers,
  options: BenchOptions,
  folder: string
): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const server of Object.values(servers)) {
    const load = loadOf(server, plan, options.connections)
    const file = `${plan.workload.name}-${kind}-${server.settings.kind}.cpuprofile`
    await writeFile(join(folder, file), await server.profile(() => keepBusy(load, () => pause(options.seconds * 1000))))
  }
}

const cpu = ({ server }: Run): number => server

const ratioOf = (line: BesideLine, from = 0): Spread =>
  spreadOfRatios(line.without.slice(from).map(cpu), line.with.slice(from).map(cpu))

/** The columns of its table. */
export const besideColumns: readonly Column<BesideLine>[] = [
  { heading: 'workload', side: 'left', cell: ({ title }) => title },
  { heading: 'without µs', cell: ({ without }) => formatSpread(spreadOf(without.map(cpu))) },
  { heading: 'with µs', cell: (line) => formatSpread(spreadOf(line.with.map(cpu))) },
  { heading: 'ratio', cell: (line) => formatSpread(ratioOf(line)) },
  {
    heading: 'error of the ratio',
    cell: ({ ratios }) => (ratios.length < 2 ? '–' : formatNumber(standardError(ratios)))
  }
]
