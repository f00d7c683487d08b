import { changes } from '@modelwire/changes'
import { migrate } from '@modelwire/core'
import type { Connector } from '@modelwire/core/connector'
import { memory } from '@modelwire/connector-memory'
import * as fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { makeApp } from '../make-app.ts'
import { type Case, cases } from './case.ts'
import { fixedModels, generatedModels, joinedPairs, me } from './models.ts'
import { requestOf } from './requests.ts'
import { idOf, nameOf, type World, type Worlds, worldsOf } from './sight.ts'
import type { Sent } from './templates.ts'

/** Codes of answers that may tell of records which the caller may not see: ids and unique values are taken, records are needed. */
const channels: ReadonlySet<unknown> = new Set(['DUPLICATE_KEY', 'RELATED_RECORD_EXISTS', 'DELETION_RESTRICTED'])

/** An answer, with everything that a client could tell it by. */
interface Answer {
  readonly status: number
  readonly headers: object
  readonly body: string
}

type Teardown = () => Promise<unknown>

/** Runs what tests register for their end, and lets `use` use what `make` made of it. */
export async function within<T>(use: (t: Test) => Promise<T>): Promise<T> {
  const ends: Teardown[] = []
  const t = { teardown: (end: Teardown) => ends.push(end) } as unknown as Test // all that `makeApp` needs of a test
  try {
    return await use(t)
  } finally {
    for (const end of ends.toReversed()) await end()
  }
}

/** How cases are run. */
export interface Running {
  readonly runs: number
  readonly requests: number
  /** The databases log changes: some models have them logged. */
  readonly logs?: boolean
  readonly connector?: () => Promise<Connector>
  readonly seed?: number
  /** Milliseconds after which the search ends, and that for a smaller case. */
  readonly time?: number
}

/** A server with the records of one world. */
export async function startWorld(t: Test, spec: Case, world: World, connector: Connector): Promise<FastifyInstance> {
  const definitions = generatedModels(spec)
  const options = { errorStatus: spec.errorStatus, roles: ['staff'] }
  const [users = { name: 'User' }, ...fixed] = fixedModels(spec)
  const app = await makeApp(t, [...definitions, ...fixed.map((one) => ({ ...one, public: false }))], options, {
    connector,
    users,
    ...(spec.keepsEvents ? {} : { changeStreams: { kept: 0 } }),
    prepare: async (each) => {
      each.access.registerRole('staff', () => spec.caller === 'staff')
      await each.register(changes, { pollInterval: 0.05 })
    }
  })
  await migrate(app.models)
  await app.ready()
  const { models } = app
  await models.get('User').create([
    { id: 7, name: 'me' },
    { id: 8, name: 'other' }
  ])
  await models.get('Team').create([
    { id: 1, userId: me },
    { id: 2, userId: 8 }
  ])
  for (const { name } of definitions) {
    const rows = world.get(name) ?? []
    if (rows.length > 0) await models.typeOf(name).collection?.insert(rows.map((row) => structuredClone(row)))
  }
  for (const [from, to] of joinedPairs(spec)) await join(app, spec, from, to)
  return app
}

/** What lies between is for everybody to see. */
async function join(app: FastifyInstance, spec: Case, from: string, to: string): Promise<void> {
  const between = app.models.find(`${from}${to}`) ?? app.models.typeOf(`${to}${from}`)
  const rows = spec.joins.map(([one, other]) => ({
    [`${from.toLowerCase()}Id`]: idOf(spec, one),
    [`${to.toLowerCase()}Id`]: idOf(spec, other)
  }))
  if (rows.length > 0) await between.modelClass.create(rows)
}

const madeId = /"(?!5f0a)[\da-f]{24}"/g

/** Ids that MongoDB makes differ everywhere: each is told by its place in the answer. */
function withoutMadeIds(body: string): string {
  const made = [...new Set(body.match(madeId))]
  return body.replaceAll(madeId, (id) => `"made id ${made.indexOf(id)}"`)
}

async function ask(app: FastifyInstance, { caller }: Case, { method, url, payload }: Sent): Promise<Answer> {
  const user = caller === 'anonymous' ? {} : { user: String(me) }
  const sent = payload === undefined ? {} : { payload }
  const answer = await app.inject({ method, url: `/api${encodeURI(url)}`, headers: user, ...sent })
  const { date: _date, ...headers } = answer.headers
  return { status: answer.statusCode, headers, body: withoutMadeIds(answer.payload) }
}

const codeIn = ({ status, body }: Answer): unknown =>
  status < 400 ? undefined : (JSON.parse(body === '' ? '{}' : body) as { error?: { code?: unknown } }).error?.code

/** Everything that is stored of the generated models, by name. */
async function stored(app: FastifyInstance, spec: Case): Promise<Map<string, string>> {
  const all = new Map<string, string>()
  for (const { name } of generatedModels(spec))
    for (const record of await app.models.get(name).find({ order: 'id ASC' }))
      all.set(nameOf(name, record['id']), JSON.stringify({ ...record }))
  return all
}

/** A difference between two worlds that the caller was shown. */
export class Difference extends Error {}

/** A value as JSON, with the code of functions. */
export const show = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === 'function' ? String(one) : one))

/** A case and its worlds, for people. */
export function describe(spec: Case, { first, second, unseen }: Worlds): string {
  const rowsOf = (name: string, title: string, world: World): readonly string[] =>
    (world.get(name) ?? []).map((row) => {
      const sight = unseen.has(nameOf(name, row['id'])) ? 'unseen' : 'seen'
      return `  ${title.padEnd(6)} ${sight.padEnd(6)} ${show(row)}`
    })
  const models = generatedModels(spec).flatMap(({ name, acls, relations = {}, hidden }) => {
    const { user: _user, team: _team, ...own } = relations
    const lines = [`${name} hides ${show(hidden)}, relations ${show(own)}`, `  rules ${show(acls)}`]
    return [...lines, ...rowsOf(name, 'first', first), ...rowsOf(name, 'second', second)]
  })
  const joined = `joined: ${show(joinedPairs(spec))} by ${show(spec.joins)}`
  return [`caller: ${spec.caller}, errorStatus: ${spec.errorStatus}`, joined, ...models].join('\n')
}

const isSame = (one: Answer, other: Answer): boolean => show(one) === show(other)

/** Sends the requests to both worlds, as long as these may not be told apart. @throws {Difference} the caller can tell them apart */
async function checkAnswers(
  spec: Case,
  worlds: Worlds,
  [first, second]: Apps,
  sent: readonly Sent[]
): Promise<boolean> {
  for (const request of sent) {
    const [one, other] = [await ask(first, spec, request), await ask(second, spec, request)]
    if ([one, other].some((answer) => channels.has(codeIn(answer)))) return false
    const fails = [one, other].some(({ status }) => status === 500)
    if (!isSame(one, other) || fails)
      throw new Difference([describe(spec, worlds), ...[request, one, other].map(show)].join('\n'))
  }
  return true
}

/** The servers of both worlds. */
type Apps = readonly [FastifyInstance, FastifyInstance]

/** @throws {Difference} the caller can tell the worlds of a case apart, or changes what it may not see */
async function checkCase(t: Test, spec: Case, makeConnector: () => Promise<Connector>): Promise<void> {
  const definitions = generatedModels(spec)
  const worlds = worldsOf(spec, definitions)
  const apps: Apps = [
    await startWorld(t, spec, worlds.first, await makeConnector()),
    await startWorld(t, spec, worlds.second, await makeConnector())
  ]
  const before = await Promise.all(apps.map((app) => stored(app, spec)))
  const sent = spec.requests.map((request) => requestOf(request, definitions, spec))
  const areComparable = await checkAnswers(spec, worlds, apps, sent)
  if (!areComparable || spec.links.some(({ onDelete }) => onDelete !== null)) return
  const after = await Promise.all(apps.map((app) => stored(app, spec)))
  for (const name of worlds.unseen) {
    const changed = before.findIndex((rows, place) => rows.get(name) !== after[place]?.get(name))
    const change = `${name} was ${before[changed]?.get(name)}, is ${after[changed]?.get(name)}`
    if (changed !== -1) throw new Difference([describe(spec, worlds), ...sent.map(show), change].join('\n'))
  }
}

/** Looks for a case whose caller can tell two worlds apart; gives a description of the smallest one, and its seed. */
export function tellApart({ connector = async () => memory(), ...running }: Running): Promise<string> {
  return seek(running, (spec) => within((t) => checkCase(t, spec, connector)))
}

/** Where no log has what was missed, the events that are kept do. */
const withoutLog = (spec: Case): Case => ({
  ...spec,
  keepsEvents: true,
  models: spec.models.map((model) => ({ ...model, logsChanges: false }))
})

/** Looks for a case that a check throws at. */
export async function seek(
  { requests, logs = false, runs, seed, time = 20_000 }: Omit<Running, 'connector'>,
  check: (spec: Case) => Promise<void>
): Promise<string> {
  const end = Date.now() + time
  // A run that has begun is waited for: fast-check's own limit leaves it behind, with a database that is taken away.
  const inTime = async (spec: Case) => (Date.now() < end ? check(logs ? spec : withoutLog(spec)) : undefined)
  const parameters = { numRuns: runs, ...(seed === undefined ? {} : { seed }) }
  const result = await fc.check(fc.asyncProperty(cases(requests), inTime), parameters)
  if (!result.failed) return noDifference
  const { errorInstance, counterexamplePath } = result
  const reason = errorInstance instanceof Difference ? errorInstance.message : (errorInstance as Error).stack // nothing else is thrown
  return `seed ${result.seed}, path ${counterexamplePath}, run ${result.numRuns}\n${reason}`
}

/** What is said of cases whose caller cannot tell the worlds apart. */
export const noDifference = 'the worlds are the same to the caller'
