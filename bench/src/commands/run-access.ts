import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { askOverHttp, compareAnswers } from '../compare-answers.ts'
import { measureRun, planRuns, type Plan, type Run } from '../measure-run.ts'
import type { BenchOptions } from '../options.ts'
import { formatNumber, printTable, type Column } from '../print-table.ts'
import { sendLoad } from '../send-load.ts'
import { benchToken } from '../servers/access-parts.ts'
import { spawnServer, type RunningServer } from '../spawn-server.ts'
import { median, summarizeRatios } from '../statistics.ts'
import { workloads } from '../workloads.ts'

const kinds = ['modelwire', 'modelwire-open', 'modelwire-token'] as const
type Kind = (typeof kinds)[number]

/** One workload on all three: lists of equal length, one run per round. */
export interface AccessLine {
  readonly title: string
  readonly runs: Readonly<Record<Kind, Run[]>>
}

interface Contest extends AccessLine {
  readonly plan: Plan
}

type Servers = ReadonlyMap<Kind, RunningServer>

const compared = 20
const warmUpRounds = 2

/** The requests of a plan as the caller of a server sends them. */
function planFor(kind: Kind, plan: Plan): Plan {
  if (kind !== 'modelwire-token') return plan
  const headers = { authorization: benchToken }
  return { ...plan, requests: plan.requests.map((request) => ({ ...request, headers })) }
}

/**
 * Measures what access control costs: the same reads without it, with rules that let everybody read and no token, and with
 * a rule on `$authenticated` and a token.
 */
export async function runAccess(options: BenchOptions, print: (text: string) => void): Promise<readonly AccessLine[]> {
  const contests = workloads
    .filter(({ name }) => name === 'W1' || name === 'W2')
    .map((workload): Contest => {
      const runs = { modelwire: [], 'modelwire-open': [], 'modelwire-token': [] }
      return { title: `${workload.name} ${workload.title}`, plan: planRuns(workload, options), runs }
    })
  const servers: Servers = new Map(
    await Promise.all(kinds.map(async (kind) => [kind, await spawnServer({ kind, rows: options.rows })] as const))
  )
  try {
    for (const contest of contests) await prepare(contest, servers, options)
    for (let round = 0; round < options.pairs; round++) {
      await runRound(contests, servers, round)
      print(`round ${round + 1} of ${options.pairs} is done`)
    }
    if (options.profile !== undefined) await writeProfiles(contests, servers, options.profile)
  } finally {
    await Promise.all([...servers.values()].map((server) => server.stop()))
  }
  print(printTable(columns, contests))
  return contests.map(({ title, runs }) => ({ title, runs }))
}

/** Looks whether all answer alike, and warms them up. */
async function prepare({ plan }: Contest, servers: Servers, { requests }: BenchOptions): Promise<void> {
  const asked = [...servers].map(([kind, { address }]) => {
    const ask = askOverHttp(address)
    const headers = planFor(kind, plan).requests[0]?.headers ?? {}
    return [kind, (request: Parameters<typeof ask>[0]) => ask({ ...request, headers })] as const
  })
  await compareAnswers(plan.workload, plan.requests.slice(0, compared), Object.fromEntries(asked))
  for (const [kind, server] of servers)
    await measureRun(
      server,
      planFor(kind, { ...plan, amount: Math.round(warmUpRounds * requests * plan.workload.share) })
    )
}

/** Whoever comes later may meet a busier machine: they take turns in being the first. */
async function runRound(contests: readonly Contest[], servers: Servers, round: number): Promise<void> {
  const order = [...kinds.slice(round % kinds.length), ...kinds.slice(0, round % kinds.length)]
  const turns = contests.flatMap((contest) => order.map((kind) => ({ ...contest, kind })))
  for (const { plan, runs, kind } of turns) {
    const server = servers.get(kind)
    if (server !== undefined) runs[kind].push(await measureRun(server, planFor(kind, plan)))
  }
}

async function writeProfiles(contests: readonly Contest[], servers: Servers, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const { plan } of contests)
    for (const [kind, server] of servers) {
      const { workload, requests, amount } = planFor(kind, plan)
      const load = { address: server.address, requests, amount, status: workload.status }
      await writeFile(join(folder, `${workload.name}-${kind}.cpuprofile`), await server.profile(() => sendLoad(load)))
    }
}

const cpu = ({ cpuMicros }: Run): number => cpuMicros

const micros =
  (kind: Kind): Column<AccessLine>['cell'] =>
  ({ runs }) =>
    formatNumber(median(runs[kind].map(cpu)))

/** What it costs without access control ÷ with: 1 is for nothing. */
const ratio =
  (kind: Kind): Column<AccessLine>['cell'] =>
  ({ runs }) => {
    const { median: middle, lowest, highest } = summarizeRatios(runs.modelwire.map(cpu), runs[kind].map(cpu))
    return `${formatNumber(middle)} (${formatNumber(lowest)}–${formatNumber(highest)})`
  }

const columns: readonly Column<AccessLine>[] = [
  { heading: 'workload', side: 'left', cell: ({ title }) => title },
  { heading: 'without µs', cell: micros('modelwire') },
  { heading: 'open, no token µs', cell: micros('modelwire-open') },
  { heading: 'ratio', cell: ratio('modelwire-open') },
  { heading: '$authenticated µs', cell: micros('modelwire-token') },
  { heading: 'ratio', cell: ratio('modelwire-token') }
]
