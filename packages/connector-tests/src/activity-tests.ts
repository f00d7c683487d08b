import { ModelRegistry } from '@modelwire/core'
import type { Collection, Connector, PoolState, StatementListener } from '@modelwire/core/connector'
import { until } from '@modelwire/test-waits'
import type { Test } from 'tap'
import { filterOf } from './conditions.ts'

/** What the connector is, and what its statements are counted under. */
export interface ActivityTestsOptions {
  readonly create: (settings: Readonly<Record<string, unknown>>) => Connector
  /** The verbs of an insertion, a read, an update and a deletion. */
  readonly verbs: readonly [insert: string, read: string, update: string, remove: string]
  /** Settings of a pool of one connection; absent where there is no pool, or no transaction can hold it. */
  readonly single?: Readonly<Record<string, unknown>>
  /** Statements are reported from the middle of a connection on, too. */
  readonly reportsLater?: boolean
}

interface Opened {
  readonly connector: Connector
  readonly collection: Collection
  readonly reports: Parameters<StatementListener>[0][]
}

async function open(t: Test, connector: Connector, when: 'before' | 'after'): Promise<Opened> {
  const registry = new ModelRegistry()
  t.teardown(async () => connector.disconnect())
  registry.define({
    name: 'Note',
    strict: true,
    properties: { id: { type: 'string', id: true }, text: { type: 'string', index: { unique: true } } }
  })
  registry.addDataSource('db', connector)
  registry.attach('Note', 'db')
  const reports: Parameters<StatementListener>[0][] = []
  const listen = (): void => registry.statements.listen((_source, report) => void reports.push(report))
  if (when === 'before') listen()
  await connector.connect()
  const model = registry.typeOf('Note')
  await connector.migrate?.([model], { empty: true })
  if (when === 'after') listen()
  reports.length = 0
  const { collection } = model
  if (collection === undefined) throw new Error('the model is not attached')
  return { connector, collection, reports }
}

async function statements(t: Test, { create, verbs }: ActivityTestsOptions, when: 'before' | 'after'): Promise<void> {
  const { collection, reports } = await open(t, create({}), when)
  const heard = (): string[] => reports.splice(0).map(({ verb }) => verb)
  const begun = performance.now()
  await collection.insert([{ id: 'a', text: 'a secret' }])
  const [first] = reports
  t.ok(first !== undefined && first.duration >= 0 && first.start >= begun - 1, 'times are those of performance.now()')
  t.ok(heard().includes(verbs[0]), verbs[0])
  await collection.find(filterOf({}))
  t.ok(heard().includes(verbs[1]), verbs[1])
  await collection.update(undefined, { text: 'another secret' })
  t.ok(heard().includes(verbs[2]), verbs[2])
  await t.rejects(async () => collection.insert([{ id: 'a', text: 'a third secret' }]))
  const failed = reports.splice(0).filter(({ error }) => error !== undefined)
  t.equal(failed.length, 1, 'a statement that fails is reported with its error')
  await collection.delete(undefined)
  t.notMatch(JSON.stringify(reports), 'secret', 'values are not told')
  t.ok(heard().includes(verbs[3]), verbs[3])
}

async function pools(t: Test, connector: Connector): Promise<void> {
  const { collection } = await open(t, connector, 'before')
  const state = (): PoolState | undefined => connector.activity?.pools?.()[0]
  const reaches = async (wanted: PoolState): Promise<void> => {
    const text = JSON.stringify(wanted)
    await until(() => JSON.stringify(state()) === text, `the pool to be ${text}`)
  }
  await collection.find(filterOf({}))
  await reaches({ open: 1, idle: 1, waiting: 0 })
  const transaction = await connector.beginTransaction?.()
  await transaction?.run(async () => collection.find(filterOf({})))
  const others = Promise.all([collection.find(filterOf({})), collection.count(undefined)])
  await until(() => (state()?.waiting ?? 0) > 0, 'callers to wait')
  t.match(state(), { open: 1, idle: 0 })
  await transaction?.commit()
  await others
  await reaches({ open: 1, idle: 1, waiting: 0 })
  await connector.disconnect()
  t.strictSame(connector.activity?.pools?.(), [], 'one that was closed has none')
}

/** What a connector tells of its statements and connections. */
export async function activityTests(t: Test, options: ActivityTestsOptions): Promise<void> {
  const { create, single, reportsLater } = options
  await t.test('statements are reported by verb, without values', async (t) => statements(t, options, 'before'))
  if (reportsLater === true)
    await t.test('so are those of a connection that is open already', async (t) => statements(t, options, 'after'))
  if (single === undefined) return
  await t.test('the pool tells of its connections and of those who wait', async (t) => pools(t, create(single)))
}
