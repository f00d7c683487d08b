import { mkdir, writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { join } from 'node:path'
import { inTurns, loadOf, measureRun, type Plan, type Run, warmUp } from '../measure-run.ts'
import type { BenchOptions } from '../options.ts'
import { type Column, formatSpread, printTable } from '../print-table.ts'
import { keepBusy } from '../send-load.ts'
import type { ServerSettings } from '../servers/bench-server.ts'
import { type RunningServer, spawnServer } from '../spawn-server.ts'
import { spreadOf, spreadOfRatios } from '../statistics.ts'
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

/** What is compared with what. */
interface Contest {
  readonly title: string
  readonly ours: Side
  readonly other: Side
}

/** One line of the table. */
export interface OAuthLine {
  readonly title: string
  /** What Modelwire is compared with. */
  readonly beside: string
  readonly ours: readonly Run[]
  readonly other: readonly Run[]
}

const introspected = 500

const form = (parts: Readonly<Record<string, string>>): string => new URLSearchParams(parts).toString()

function factsOf({ facts }: RunningServer): OAuthFacts {
  return facts as OAuthFacts // authorization servers tell these
}

function issueRequest(server: RunningServer, more: Readonly<Record<string, string>>): BenchRequest {
  const { tokenPath, authorization } = factsOf(server)
  const body = form({ grant_type: 'client_credentials', scope: 'read', ...more })
  return { method: 'POST', path: tokenPath, headers: { authorization }, form: body }
}

function planOf(title: string, requests: readonly BenchRequest[]): Plan {
  const [first = { method: 'GET', path: '/' } as const] = requests
  return { requests, workload: { name: title, title, makeRequest: () => first, status: 200 } }
}

/** Issuing: each request makes a token. */
async function issuing(server: RunningServer): Promise<Plan> {
  const request = issueRequest(server, { resource })
  expectJwt((await ask(server, request)).body, 'ES256')
  return planOf('issue', [request])
}

/** Introspection of as many tokens as both stores hold. */
async function introspecting(server: RunningServer): Promise<Plan> {
  const { introspectPath, authorization } = factsOf(server)
  const requests: BenchRequest[] = []
  for (let at = 0; at < introspected; at++) {
    const { body } = await ask(server, issueRequest(server, {}))
    const token = String(memberOf(body, 'access_token'))
    requests.push({ method: 'POST', path: introspectPath, headers: { authorization }, form: form({ token }) })
  }
  for (const request of requests.slice(0, 3)) expectActive((await ask(server, request)).body)
  return planOf('introspect', requests)
}

function apiPlan({ facts }: RunningServer, path: string): Plan {
  const { tokens } = facts as ApiFacts // the API tells these
  const requests = tokens.map((token): BenchRequest => ({
    method: 'GET',
    path,
    headers: { authorization: `Bearer ${token}` }
  }))
  return planOf(path, requests)
}

const side = (name: string, server: RunningServer, plan: Plan): Side => ({ name, server, plan, runs: [] })

async function makeLines(servers: readonly RunningServer[]): Promise<Contest[]> {
  const [ours, theirs, oursOpaque, theirsOpaque, api] = servers
  if (!ours || !theirs || !oursOpaque || !theirsOpaque || !api) throw new RangeError('five servers take part')
  const contest = async (title: string, [one, other]: [RunningServer, RunningServer], plan: typeof issuing) => ({
    title,
    ours: side('Modelwire', one, await plan(one)),
    other: side('oidc-provider', other, await plan(other))
  })
  const open = (): Side => side('open route', api, apiPlan(api, '/open'))
  return [
    await contest('client_credentials, JWT (ES256)', [ours, theirs], issuing),
    await contest('introspection, opaque', [oursOpaque, theirsOpaque], introspecting),
    { title: 'API, JWT', ours: side('Modelwire', api, apiPlan(api, '/protected')), other: open() },
    {
      title: 'API, JWT verified each time',
      ours: side('Modelwire', api, apiPlan(api, '/verified')),
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

async function measureAll(lines: readonly Contest[], options: BenchOptions, round: number): Promise<void> {
  for (const { ours, other } of lines)
    for (const each of inTurns([ours, other], round)) each.runs.push(await measureRun(each.server, each.plan, options))
}

async function writeProfiles(lines: readonly Contest[], options: BenchOptions, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [index, { ours, other }] of lines.entries())
    for (const { name, server, plan } of [ours, other]) {
      const load = loadOf(server, plan, options.connections)
      const json = await server.profile(() => keepBusy(load, () => pause(options.seconds * 1000)))
      await writeFile(join(folder, `oauth2-${index}-${name.replaceAll(' ', '-')}.cpuprofile`), json)
    }
}

const lineOf = ({ title, ours, other }: Contest): OAuthLine => ({
  title,
  beside: other.name,
  ours: ours.runs,
  other: other.runs
})

/** Measures issuing and checking of tokens beside `oidc-provider` and beside an open route, and prints the table. */
export async function runOAuth2(options: BenchOptions, report: (text: string) => void): Promise<readonly OAuthLine[]> {
  const servers = await Promise.all(settings.map(spawnServer))
  try {
    const lines = await makeLines(servers)
    for (const { server, plan } of lines.flatMap(({ ours, other }) => [ours, other]))
      await warmUp(server, plan, options)
    for (let round = 0; round < options.pairs; round++) {
      await measureAll(lines, options, round)
      report(`round ${round + 1} of ${options.pairs} is done`)
    }
    if (options.profile !== undefined) await writeProfiles(lines, options, options.profile)
    const results = lines.map(lineOf)
    report(printTable(oauth2Columns, results))
    return results
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}

const cpu = (run: Run): number => run.server
const throughput = (run: Run): number => run.throughput

const print = (runs: readonly Run[], read: (run: Run) => number): string => formatSpread(spreadOf(runs.map(read)))

/** More is better, 1 is as good as the other. */
const printRatio = (above: readonly Run[], below: readonly Run[], read: (run: Run) => number): string =>
  formatSpread(spreadOfRatios(above.map(read), below.map(read)))

/** The columns of its table: throughput, its ratio, and CPU time of the server's process per request. */
export const oauth2Columns: readonly Column<OAuthLine>[] = [
  { heading: 'what', side: 'left', cell: ({ title }) => title },
  { heading: 'beside', side: 'left', cell: ({ beside }) => beside },
  { heading: 'Modelwire/s', cell: ({ ours }) => print(ours, throughput) },
  { heading: 'other/s', cell: ({ other }) => print(other, throughput) },
  { heading: '/s ratio', cell: ({ ours, other }) => printRatio(ours, other, throughput) },
  { heading: 'Modelwire µs', cell: ({ ours }) => print(ours, cpu) },
  { heading: 'other µs', cell: ({ other }) => print(other, cpu) },
  { heading: 'CPU ratio', cell: ({ ours, other }) => printRatio(other, ours, cpu) }
]
