import { mkdir, writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { join } from 'node:path'
import { askOverHttp, compareAnswers } from '../compare-answers.ts'
import { loadOf, measureRun, planRuns, type Plan, type Run, warmUp } from '../measure-run.ts'
import { databases } from '../databases.ts'
import type { BenchOptions, Place } from '../options.ts'
import { readOrigin } from '../origin.ts'
import { createRandom, type Random } from '../random.ts'
import { readResults } from '../keep-results.ts'
import { installOther } from '../others/install.ts'
import { isOther, others } from '../others/others.ts'
import { compareOther, planOther } from '../others/plan-other.ts'
import { keepBusy } from '../send-load.ts'
import type { ServerKind } from '../servers/bench-server.ts'
import { spawnDatabaseServer, spawnServer, type RunningServer } from '../spawn-server.ts'
import type { Workload } from '../workloads.ts'
import { printLoad } from './print-load.ts'

/** Servers of the benchmark by their kind. */
export type Servers = ReadonlyMap<ServerKind, RunningServer>

/** All runs of one line of the table: lists of equal length, one item per round. */
export interface LoadLine {
  readonly name: string
  readonly title: string
  readonly runs: Partial<Record<ServerKind, Run[]>>
}

/** What was measured in one place. */
export interface PlaceResult {
  readonly place: Place
  readonly lines: readonly LoadLine[]
  /** Name and version of the database. */
  version?: string | undefined
}

/** What is measured for a line: the plan and the servers that take part. */
interface Contest extends LoadLine {
  readonly plan: Plan
  readonly kinds: readonly ServerKind[]
  /** The same in the way of other frameworks. */
  readonly otherPlans: Partial<Record<ServerKind, Plan>>
}

const planOf = ({ plan, otherPlans }: Contest, { settings }: RunningServer): Plan => otherPlans[settings.kind] ?? plan

const comparedRequests = 20

/** What to do with results: all of them, as far as there are any. */
type Save = (results: readonly PlaceResult[]) => Promise<void>

/**
 * Measures all workloads on all servers, place by place, and prints a table of each. What the file of `--json` has is not measured
 * again. @param save called after each round
 * @throws {InvalidBenchOption} that file is of other options
 */
export async function runLoad(
  options: BenchOptions,
  print: (text: string) => void,
  save: Save
): Promise<readonly PlaceResult[]> {
  const { json, places } = options
  for (const name of options.others) await installOther(name, print)
  const kept = json === undefined ? undefined : await readResults<readonly PlaceResult[]>(json, options, readOrigin())
  const contests = places.map((place, at) => contestsIn(place, options, kept?.results[at]?.lines ?? []))
  const results = places.map((place, at): PlaceResult => ({
    place,
    lines: (contests[at] ?? []).map(lineOf),
    version: kept?.results[at]?.version
  }))
  for (const [at, result] of results.entries())
    await runPlace(result, contests[at] ?? [], { options, print, save: () => save(results) })
  return results
}

const lineOf = ({ name, title, runs }: LoadLine): LoadLine => ({ name, title, runs })

/** How places are measured. */
interface Measuring {
  readonly options: BenchOptions
  readonly print: (text: string) => void
  readonly save: () => Promise<void>
}

async function runPlace(
  result: PlaceResult,
  contests: readonly Contest[],
  { options, print, save }: Measuring
): Promise<void> {
  const { place } = result
  const done = roundsOf(contests)
  print(`\n${describePlace(place)}: ${place.rows} products, ${contests.length} lines, ${options.pairs} rounds`)
  if (done > 0) print(`${done} rounds were measured before`)
  if (done < options.pairs) {
    const servers = await startServers(contests, place)
    result.version = [...servers.values()][0]?.database?.version
    try {
      await compareAll(contests, servers)
      await warmUpAll(contests, servers, options)
      await runRounds(contests, servers, { options, print, save }, done)
      await writeProfiles(contests, servers, options)
    } finally {
      await Promise.all([...servers.values()].map((server) => server.stop()))
    }
  }
  print(printLoad(contests))
}

async function warmUpAll(contests: readonly Contest[], servers: Servers, options: BenchOptions): Promise<void> {
  for (const contest of contests)
    for (const server of pick(servers, contest.kinds)) await warmUp(server, planOf(contest, server), options)
}

async function runRounds(
  contests: readonly Contest[],
  servers: Servers,
  { options, print, save }: Measuring,
  done: number
): Promise<void> {
  for (let round = done; round < options.pairs; round++) {
    await runRound(contests, servers, options, createRandom(round))
    await save()
    print(`round ${round + 1} of ${options.pairs} is done`)
  }
}

function describePlace({ database, tables }: Place): string {
  if (database === undefined) return 'In memory'
  const { describe, hasTables } = databases[database]
  return `In ${describe()}${hasTables ? `, ${tables === 'own' ? 'tables of our own' : "tables of LoopBack's connector"}` : ''}`
}

/** The lines of a place, with what was measured before. */
function contestsIn(place: Place, options: BenchOptions, before: readonly LoadLine[]): Contest[] {
  const { database, rows } = place
  const size = { rows, distinct: options.distinct, database }
  const contestOf = (workload: Workload, kinds: readonly ServerKind[], mark = '', more = ''): Contest => {
    const name = `${workload.name}${mark}`
    const runs = before.find((line) => line.name === name)?.runs ?? {}
    const plan = planRuns(workload, size)
    const otherPlans = mark === '' ? planOthers(plan, place, options) : {}
    const all = [...kinds, ...Object.keys(otherPlans).filter(isOther)]
    return { name, title: `${workload.title}${more}`, plan, runs, kinds: all, otherPlans }
  }
  if (database !== undefined) {
    const asJson = (workload: Workload): ServerKind[] =>
      databases[database].hasTables && workload.asJson === true ? ['handwritten-json'] : []
    return options.workloads.map((workload) => contestOf(workload, ['handwritten', ...asJson(workload), 'modelwire']))
  }
  return options.workloads.flatMap((workload) => [
    contestOf(workload, ['handwritten', 'modelwire']),
    ...(workload.gainsByIndex === true
      ? [contestOf(workload, ['handwritten', 'modelwire-indexed'], 'i', ', indexed')]
      : [])
  ])
}

/** The plans of other frameworks that take part in a place, and can answer. */
function planOthers(plan: Plan, { database, tables }: Place, options: BenchOptions): Contest['otherPlans'] {
  const plans = options.others
    .filter((name) => others[name].database === database && tables === 'own')
    .map((name) => [name, planOther(others[name], plan)] as const)
  return Object.fromEntries(plans.filter(([, each]) => each !== undefined))
}

/** How many rounds all lines have. */
const roundsOf = (contests: readonly Contest[]): number =>
  Math.min(...contests.flatMap(({ kinds, runs }) => kinds.map((kind) => runs[kind]?.length ?? 0)))

async function startServers(contests: readonly Contest[], place: Place): Promise<Servers> {
  const { database, tables, rows } = place
  const kinds = [...new Set(contests.flatMap((contest) => contest.kinds))]
  const servers = await Promise.all(
    kinds.map((kind) =>
      database === undefined ? spawnServer({ kind, rows }) : spawnDatabaseServer(database, { kind, rows, tables })
    )
  )
  return new Map(servers.map((server) => [server.settings.kind, server]))
}

async function compareAll(contests: readonly Contest[], servers: Servers): Promise<void> {
  for (const { plan, kinds } of contests) {
    const all = pick(servers, kinds)
    const alike = all.filter(({ settings }) => !isOther(settings.kind))
    const asks = alike.map(({ settings, address }) => [settings.kind, askOverHttp(address)] as const)
    await compareAnswers(plan.workload, plan.requests.slice(0, comparedRequests), Object.fromEntries(asks))
    for (const server of all) await compareWith(alike[0] ?? server, server, plan)
    await Promise.all(all.map((server) => server.restore()))
  }
}

/** Compares another framework with a server that is none. */
async function compareWith(
  ours: RunningServer,
  { settings: { kind }, address }: RunningServer,
  plan: Plan
): Promise<void> {
  if (!isOther(kind)) return
  const sides = { ours: askOverHttp(ours.address), theirs: askOverHttp(address) }
  await compareOther(others[kind], plan, sides, comparedRequests)
}

/** Everything once, in an order of its own: what one workload leaves in a process or a database, another one meets. */
async function runRound(
  contests: readonly Contest[],
  servers: Servers,
  options: BenchOptions,
  random: Random
): Promise<void> {
  const measured = contests.map((contest) => ({ contest, runs: new Map<ServerKind, Run>() }))
  for (const { contest, runs } of shuffled(measured, random))
    for (const server of shuffled(pick(servers, contest.kinds), random)) {
      runs.set(server.settings.kind, await measureOnce(server, planOf(contest, server), options))
    }
  for (const { contest, runs } of measured) for (const [kind, run] of runs) (contest.runs[kind] ??= []).push(run)
}

/** What the requests that were left unanswered still cost is over then. */
const restAfter = 100

async function measureOnce(server: RunningServer, plan: Plan, options: BenchOptions): Promise<Run> {
  const run = await measureRun(server, plan, options)
  await pause(restAfter)
  // A slow framework is busy for longer with what nobody waits for any more, and restores after that.
  if (isOther(server.settings.kind)) await server.restore()
  return run
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const left = [...items]
  return items.flatMap(() => left.splice(random.integer(left.length), 1))
}

async function writeProfiles(contests: readonly Contest[], servers: Servers, options: BenchOptions): Promise<void> {
  const { profile: folder } = options
  if (folder === undefined) return
  await mkdir(folder, { recursive: true })
  for (const contest of contests) {
    for (const server of pick(servers, contest.kinds)) {
      await server.restore()
      const load = loadOf(server, planOf(contest, server), options.connections)
      const json = await server.profile(() => keepBusy(load, () => pause(options.seconds * 1000)))
      await writeFile(join(folder, `${contest.name}-${server.settings.kind}.cpuprofile`), json)
    }
  }
}

function pick(servers: Servers, kinds: readonly ServerKind[]): RunningServer[] {
  return kinds.map((kind) => servers.get(kind)).filter((server) => server !== undefined)
}
