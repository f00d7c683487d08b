import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { askOverHttp, compareAnswers } from '../compare-answers.ts'
import { inTurns, measureRun, planRuns, planWarmUp, type Plan, type Run } from '../measure-run.ts'
import type { BenchOptions } from '../options.ts'
import { formatNumber, printTable, type Column } from '../print-table.ts'
import { sendLoad } from '../send-load.ts'
import { benchToken } from '../servers/access-parts.ts'
import { spawnServer, type RunningServer } from '../spawn-server.ts'
import { median, standardError, summarizeRatios } from '../statistics.ts'
import type { BenchRequest, Workload } from '../workloads.ts'

/** One workload without access control and with it: lists of equal length, one run per round. */
export interface AccessLine {
  readonly title: string
  readonly without: Run[]
  readonly guarded: Run[]
  /** The median of each start. */
  readonly ratios: number[]
}

type Kind = 'modelwire-open' | 'modelwire-token'

interface Contest extends AccessLine {
  readonly kind: Kind
  readonly plan: Plan
}

interface Servers {
  readonly without: RunningServer
  readonly guarded: RunningServer
}

const compared = 20

/** Both servers get the same requests, with the token or without. */
const sent: Readonly<Record<Kind, { readonly title: string; readonly headers: BenchRequest['headers'] & {} }>> = {
  'modelwire-open': { title: 'open, no token', headers: {} },
  'modelwire-token': { title: '$authenticated', headers: { authorization: benchToken } }
}

function contestsOf(workload: Workload, options: BenchOptions): Contest[] {
  const plan = planRuns(workload, options)
  const kinds: readonly Kind[] = ['modelwire-open', 'modelwire-token']
  return kinds.map((kind) => {
    const { title, headers } = sent[kind]
    const requests = plan.requests.map((request) => ({ ...request, headers }))
    return {
      kind,
      plan: { ...plan, requests },
      title: `${workload.name}, ${title}`,
      without: [],
      guarded: [],
      ratios: []
    }
  })
}

async function startServers(kind: Kind, { rows }: BenchOptions): Promise<Servers> {
  const [without, guarded] = await Promise.all([spawnServer({ kind: 'modelwire', rows }), spawnServer({ kind, rows })])
  return { without, guarded }
}

/**
 * Measures what access control costs: reads with rules that let everyone read and no token, and with a rule on
 * `$authenticated` and a token, each beside the same requests to a server without access control. The servers are
 * started several times: one process is a little quicker than the next for as long as it lives, whatever it runs.
 */
export async function runAccess(options: BenchOptions, print: (text: string) => void): Promise<readonly AccessLine[]> {
  const contests = options.workloads
    .filter(({ name }) => name === 'W1' || name === 'W2')
    .flatMap((workload) => contestsOf(workload, options))
  for (let spawn = 0; spawn < options.spawns; spawn++) {
    for (const contest of contests) await measureOnce(contest, options, spawn)
    print(`${spawn + 1} of ${options.spawns} starts are measured`)
  }
  print(printTable(columns, contests))
  return contests.map(({ title, without, guarded, ratios }) => ({ title, without, guarded, ratios }))
}

/** Measures two servers that are started for it: both have served the same when they are compared. */
async function measureOnce(contest: Contest, options: BenchOptions, spawn: number): Promise<void> {
  const servers = await startServers(contest.kind, options)
  try {
    await prepare(contest, servers, options, spawn)
    const before = contest.without.length
    for (let round = 0; round < options.pairs; round++) await runRound(contest, servers, spawn + round)
    contest.ratios.push(ratioOf(contest, before).median)
    if (options.profile !== undefined) await writeProfiles(contest, servers, options.profile)
  } finally {
    await Promise.all(Object.values(servers).map((server) => server.stop()))
  }
}

/** Looks whether both answer alike, and warms them up. */
async function prepare({ plan }: Contest, servers: Servers, options: BenchOptions, turn: number): Promise<void> {
  const asked = Object.entries(servers).map(([name, { address }]) => [name, askOverHttp(address)] as const)
  await compareAnswers(plan.workload, plan.requests.slice(0, compared), Object.fromEntries(asked))
  const warmUp = planWarmUp(plan, options)
  for (const server of inTurns(Object.values(servers), turn)) await measureRun(server, warmUp)
}

async function runRound({ plan, without, guarded }: Contest, servers: Servers, turn: number): Promise<void> {
  const runs = [
    { runs: without, server: servers.without },
    { runs: guarded, server: servers.guarded }
  ]
  for (const { runs: kept, server } of inTurns(runs, turn)) kept.push(await measureRun(server, plan))
}

async function writeProfiles({ kind, plan }: Contest, servers: Servers, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const { workload, requests, amount } = plan
  for (const server of Object.values(servers)) {
    const load = { address: server.address, requests, amount, status: workload.status }
    const file = `${workload.name}-${kind}-${server.settings.kind}.cpuprofile`
    await writeFile(join(folder, file), await server.profile(() => sendLoad(load)))
  }
}

const cpu = ({ cpuMicros }: Run): number => cpuMicros

const ratioOf = ({ without, guarded }: AccessLine, from = 0) =>
  summarizeRatios(without.slice(from).map(cpu), guarded.slice(from).map(cpu))

const columns: readonly Column<AccessLine>[] = [
  { heading: 'workload', side: 'left', cell: ({ title }) => title },
  { heading: 'without µs', cell: ({ without }) => formatNumber(median(without.map(cpu))) },
  { heading: 'with µs', cell: ({ guarded }) => formatNumber(median(guarded.map(cpu))) },
  { heading: 'ratio', cell: (line) => formatNumber(ratioOf(line).median) },
  { heading: '±', cell: ({ ratios }) => (ratios.length < 2 ? '–' : formatNumber(standardError(ratios))) },
  {
    heading: 'lowest–highest',
    cell: (line) => `${formatNumber(ratioOf(line).lowest)}–${formatNumber(ratioOf(line).highest)}`
  }
]
