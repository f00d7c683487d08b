import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { askOverHttp, compareAnswers } from '../compare-answers.ts'
import { inTurns, measureRun, planRuns, planWarmUp, type Plan, type Run } from '../measure-run.ts'
import { databases } from '../databases.ts'
import type { BenchOptions } from '../options.ts'
import { sendLoad } from '../send-load.ts'
import type { ServerKind } from '../servers/bench-server.ts'
import { spawnDatabaseServer, spawnServer, type RunningServer } from '../spawn-server.ts'
import { printLoad } from './print-load.ts'

/** Servers of the benchmark by their kind. */
export type Servers = ReadonlyMap<ServerKind, RunningServer>

/** All runs of one line of the table: lists of equal length, one item per round. */
export interface LoadLine {
  readonly name: string
  readonly title: string
  readonly runs: Partial<Record<ServerKind, Run[]>>
}

/** What is measured for a line: the plan and the servers that take part. */
interface Contest extends LoadLine {
  readonly plan: Plan
  readonly kinds: readonly ServerKind[]
}

const comparedRequests = 20

/** Measures all workloads on all servers, round by round, and prints the table. */
export async function runLoad(options: BenchOptions, print: (text: string) => void): Promise<readonly LoadLine[]> {
  const contests = options.workloads.flatMap((workload) => toContests(planRuns(workload, options), options))
  const servers = await startServers(contests, options)
  try {
    if (options.database !== undefined) print(`records are in ${databases[options.database].describe()}`)
    print(`${options.rows} products, ${contests.length} lines, ${options.pairs} rounds; answers are compared first`)
    await compareAll(contests, servers)
    for (const contest of contests) await warmUp(contest, servers, options)
    for (let round = 0; round < options.pairs; round++) {
      await runRound(contests, servers, round)
      print(`round ${round + 1} of ${options.pairs} is done`)
    }
    if (options.profile !== undefined) await writeProfiles(contests, servers, options.profile)
  } finally {
    await Promise.all([...servers.values()].map((server) => server.stop()))
  }
  print(printLoad(contests))
  return contests.map(({ name, title, runs }) => ({ name, title, runs }))
}

/** The contests of a workload: one, or a second one with an index. */
function toContests(plan: Plan, { loopback, database }: BenchOptions): Contest[] {
  const { name, title, gainsByIndex } = plan.workload
  if (database !== undefined) return [{ name, title, plan, runs: {}, kinds: databases[database].kinds }]
  const guests: ServerKind[] = loopback === undefined ? [] : ['loopback']
  const scan: Contest = { name, title, plan, runs: {}, kinds: ['handwritten', 'modelwire', ...guests] }
  if (gainsByIndex !== true) return [scan]
  return [
    scan,
    { name: `${name}i`, title: `${title}, indexed`, plan, runs: {}, kinds: ['handwritten', 'modelwire-indexed'] }
  ]
}

async function startServers(
  contests: readonly Contest[],
  { rows, loopback, database, tables }: BenchOptions
): Promise<Servers> {
  const kinds = [...new Set(contests.flatMap((contest) => contest.kinds))]
  const servers = await Promise.all(
    kinds.map((kind) =>
      database === undefined
        ? spawnServer({ kind, rows, loopback })
        : spawnDatabaseServer(database, { kind, rows, tables })
    )
  )
  return new Map(servers.map((server) => [server.settings.kind, server]))
}

async function compareAll(contests: readonly Contest[], servers: Servers): Promise<void> {
  for (const { plan, kinds } of contests) {
    const asks = pick(servers, kinds).map((server) => [server.settings.kind, askOverHttp(server.address)] as const)
    await compareAnswers(plan.workload, plan.requests.slice(0, comparedRequests), Object.fromEntries(asks))
    await Promise.all(pick(servers, kinds).map((server) => server.restore()))
  }
}

/** Every server meets every workload before the first one is measured. */
async function warmUp({ plan, kinds }: Contest, servers: Servers, options: BenchOptions): Promise<void> {
  const long = planWarmUp(plan, options)
  for (const server of pick(servers, kinds)) await measureRun(server, planFor(server, long))
}

async function runRound(contests: readonly Contest[], servers: Servers, round: number): Promise<void> {
  for (const contest of contests) await runContest(contest, servers, round)
}

async function runContest({ plan, kinds, runs }: Contest, servers: Servers, round: number): Promise<void> {
  for (const server of inTurns(pick(servers, kinds), round)) {
    const run = await measureRun(server, planFor(server, plan))
    ;(runs[server.settings.kind] ??= []).push(run)
  }
}

const loopbackShare = 100

/** LoopBack needs hundreds of times as long; a run of it sends less. */
function planFor({ settings }: RunningServer, plan: Plan): Plan {
  return settings.kind === 'loopback'
    ? { ...plan, amount: Math.max(40, Math.round(plan.amount / loopbackShare)) }
    : plan
}

async function writeProfiles(contests: readonly Contest[], servers: Servers, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const { name, plan, kinds } of contests) {
    for (const server of pick(servers, kinds)) {
      const { workload, requests, amount } = planFor(server, plan)
      await server.restore()
      const json = await server.profile(() =>
        sendLoad({ address: server.address, requests, amount, status: workload.status })
      )
      await writeFile(join(folder, `${name}-${server.settings.kind}.cpuprofile`), json)
    }
  }
}

function pick(servers: Servers, kinds: readonly ServerKind[]): RunningServer[] {
  return kinds.map((kind) => servers.get(kind)).filter((server) => server !== undefined)
}
