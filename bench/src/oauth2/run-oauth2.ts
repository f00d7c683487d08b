import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inTurns, measureRun, type Plan, type Run } from '../measure-run.ts'
import type { BenchOptions } from '../options.ts'
import { formatNumber, printTable, type Column } from '../print-table.ts'
import { sendLoad } from '../send-load.ts'
import type { ServerSettings } from '../servers/bench-server.ts'
import { type RunningServer, spawnServer } from '../spawn-server.ts'
import { median, summarizeRatios } from '../statistics.ts'
import { ask, expectActive, expectJwt, memberOf } from './check-answers.ts'
import { type OAuthFacts, resource } from './oauth-facts.ts'
import type { ApiFacts } from './resource-api.ts'
import type { BenchRequest } from '../workloads.ts'

/** One side of a comparison. */
interface Side {
  readonly name: string
  readonly server: RunningServer
  readonly plan: Plan
  readonly runs: Run[]
}

/** One line of the table: what is compared with what. */
export interface OAuthLine {
  readonly title: string
  readonly ours: Side
  readonly other: Side
}

const introspected = 500
/** V8 has then compiled what is measured. */
const warmUpRounds = 2

const form = (parts: Readonly<Record<string, string>>): string => new URLSearchParams(parts).toString()

function factsOf({ facts }: RunningServer): OAuthFacts {
  return facts as OAuthFacts // authorization servers tell these
}

function issueRequest(server: RunningServer, more: Readonly<Record<string, string>>): BenchRequest {
  const { tokenPath, authorization } = factsOf(server)
  const body = form({ grant_type: 'client_credentials', scope: 'read', ...more })
  return { method: 'POST', path: tokenPath, headers: { authorization }, form: body }
}

function planOf(title: string, requests: readonly BenchRequest[], amount: number): Plan {
  const [first = { method: 'GET', path: '/' } as const] = requests
  return { amount, requests, workload: { name: title, title, makeRequest: () => first, status: 200, share: 1 } }
}

/** Issuing: each request makes a token. */
async function issuing(server: RunningServer, amount: number): Promise<Plan> {
  const request = issueRequest(server, { resource })
  expectJwt((await ask(server, request)).body, 'ES256')
  return planOf('issue', [request], amount)
}

/** Introspection of as many tokens as both stores hold. */
async function introspecting(server: RunningServer, amount: number): Promise<Plan> {
  const { introspectPath, authorization } = factsOf(server)
  const requests: BenchRequest[] = []
  for (let at = 0; at < introspected; at++) {
    const { body } = await ask(server, issueRequest(server, {}))
    const token = String(memberOf(body, 'access_token'))
    requests.push({ method: 'POST', path: introspectPath, headers: { authorization }, form: form({ token }) })
  }
  for (const request of requests.slice(0, 3)) expectActive((await ask(server, request)).body)
  return planOf('introspect', requests, amount)
}

function apiPlan({ facts }: RunningServer, path: string, amount: number): Plan {
  const { tokens } = facts as ApiFacts // the API tells these
  const requests = tokens.map((token): BenchRequest => ({
    method: 'GET',
    path,
    headers: { authorization: `Bearer ${token}` }
  }))
  return planOf(path, requests, amount)
}

const side = (name: string, server: RunningServer, plan: Plan): Side => ({ name, server, plan, runs: [] })

async function makeLines(servers: readonly RunningServer[], { requests }: BenchOptions): Promise<OAuthLine[]> {
  const [ours, theirs, oursOpaque, theirsOpaque, api] = servers
  if (!ours || !theirs || !oursOpaque || !theirsOpaque || !api) throw new RangeError('five servers take part')
  const contest = async (title: string, [one, other]: [RunningServer, RunningServer], plan: typeof issuing) => ({
    title,
    ours: side('Modelwire', one, await plan(one, Math.round(requests / 2))),
    other: side('oidc-provider', other, await plan(other, Math.round(requests / 2)))
  })
  const open = (): Side => side('open route', api, apiPlan(api, '/open', requests))
  return [
    await contest('client_credentials, JWT (ES256)', [ours, theirs], issuing),
    await contest('introspection, opaque', [oursOpaque, theirsOpaque], introspecting),
    { title: 'API, JWT', ours: side('Modelwire', api, apiPlan(api, '/protected', requests)), other: open() },
    {
      title: 'API, JWT verified each time',
      ours: side('Modelwire', api, apiPlan(api, '/verified', requests)),
      other: open()
    }
  ]
}

const settings: readonly ServerSettings[] = [
  { kind: 'oauth2', rows: 0, tokens: 'jwt' },
  { kind: 'oidc-provider', rows: 0, tokens: 'jwt' },
  { kind: 'oauth2', rows: 0, tokens: 'opaque' },
  { kind: 'oidc-provider', rows: 0, tokens: 'opaque' },
  { kind: 'resource-server', rows: 0 }
]

async function measure({ ours, other }: OAuthLine, round: number): Promise<void> {
  for (const each of inTurns([ours, other], round)) each.runs.push(await measureRun(each.server, each.plan))
}

async function measureAll(lines: readonly OAuthLine[], round: number): Promise<void> {
  for (const line of lines) await measure(line, round)
}

async function writeProfiles(lines: readonly OAuthLine[], folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [index, { ours, other }] of lines.entries())
    for (const { name, server, plan } of [ours, other]) {
      const load = { address: server.address, requests: plan.requests, amount: plan.amount, status: 200 }
      const json = await server.profile(() => sendLoad(load))
      await writeFile(join(folder, `oauth2-${index}-${name.replaceAll(' ', '-')}.cpuprofile`), json)
    }
}

/** Measures issuing and checking of tokens beside `oidc-provider` and beside an open route, and prints the table. */
export async function runOAuth2(
  options: BenchOptions,
  print: (text: string) => void
): Promise<readonly Pick<OAuthLine, 'title'>[]> {
  const servers = await Promise.all(settings.map(spawnServer))
  try {
    const lines = await makeLines(servers, options)
    for (let round = 0; round < warmUpRounds; round++) await measureAll(lines, round)
    for (const { runs } of lines.flatMap(({ ours, other }) => [ours, other])) runs.length = 0
    for (let round = 0; round < options.pairs; round++) {
      await measureAll(lines, round)
      print(`round ${round + 1} of ${options.pairs} is done`)
    }
    if (options.profile !== undefined) await writeProfiles(lines, options.profile)
    print(printLines(lines))
    return lines.map(({ title, ours, other }) => ({ title, ours: ours.runs, other: other.runs }))
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}

const middle = (runs: readonly Run[], read: (run: Run) => number): string => formatNumber(median(runs.map(read)))
const cpu = ({ cpuMicros }: Run): number => cpuMicros
const throughput = (run: Run): number => run.throughput

/** In throughput: more is better, 1 is as good as the other. */
const ratioOf = ({ ours, other }: OAuthLine) => summarizeRatios(ours.runs.map(throughput), other.runs.map(throughput))
/** In CPU time: more is better. */
const cpuRatioOf = ({ ours, other }: OAuthLine) => summarizeRatios(other.runs.map(cpu), ours.runs.map(cpu))

const columns: readonly Column<OAuthLine>[] = [
  { heading: 'what', side: 'left', cell: ({ title }) => title },
  { heading: 'beside', side: 'left', cell: ({ other }) => other.name },
  { heading: 'Modelwire/s', cell: ({ ours }) => middle(ours.runs, (run) => Math.round(run.throughput)) },
  { heading: 'other/s', cell: ({ other }) => middle(other.runs, (run) => Math.round(run.throughput)) },
  { heading: 'ratio', cell: (line) => formatNumber(ratioOf(line).median) },
  {
    heading: 'lowest–highest',
    cell: (line) => `${formatNumber(ratioOf(line).lowest)}–${formatNumber(ratioOf(line).highest)}`
  },
  { heading: 'Modelwire µs', cell: ({ ours }) => middle(ours.runs, cpu) },
  { heading: 'other µs', cell: ({ other }) => middle(other.runs, cpu) },
  { heading: 'CPU ratio', cell: (line) => formatNumber(cpuRatioOf(line).median) }
]

/** The table: throughput, its ratio, and CPU time of the server's process per request. */
export function printLines(lines: readonly OAuthLine[]): string {
  return printTable(columns, lines)
}
