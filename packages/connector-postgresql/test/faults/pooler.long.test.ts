import { postgresql } from '@modelwire/connector-postgresql'
import { createTestDatabase, runOn, startPooler, whyNoPooler } from '@modelwire/connector-tests/postgresql'
import { ModelRegistry } from '@modelwire/core'
import { repository, serverCall } from '@modelwire/core/plugin'
import t, { type Test } from 'tap'

const skip = whyNoPooler()

/** A pooler with few connections, which hands each transaction to whichever is free, before an empty database. */
async function open(t: Test, takesTimeout: boolean): Promise<{ readonly url: string; readonly directUrl: string }> {
  const { url, drop } = await createTestDatabase()
  t.teardown(() => drop())
  const pooler = await startPooler(url, { takesTimeout })
  t.teardown(() => pooler.stop())
  return { url: pooler.url, directUrl: url }
}

/** Three models of which each record says what it is, as an application of its own has them. */
async function openModels(t: Test, url: string, settings: Readonly<Record<string, unknown>>): Promise<ModelRegistry> {
  const registry = new ModelRegistry()
  registry.addDataSource('db', postgresql({ url, max: 4, ...settings }))
  for (const name of ['Red', 'Green', 'Blue']) {
    const properties = { id: { type: 'number', id: true }, text: 'string', size: 'number' }
    registry.define({ name, strict: true, properties })
    registry.attach(name, 'db')
  }
  t.teardown(() => registry.disconnect())
  await registry.connect()
  return registry
}

const names = ['Red', 'Green', 'Blue']
const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1)

/** Sends one statement of one kind and checks what it gives. */
type Ask = (registry: ModelRegistry, name: string, id: number) => Promise<boolean>

const isRecord = (record: Readonly<Record<string, unknown>> | null | undefined, name: string, id: number): boolean =>
  record?.['id'] === id && record['text'] === `${name} ${id}` && record['size'] === id % 5

const asks: readonly Ask[] = [
  async (registry, name, id) => isRecord(await registry.get(name).findById(id), name, id),
  async (registry, name, id) => isRecord((await registry.get(name).find({ where: { id } }))[0], name, id),
  async (registry, name, id) => (await registry.get(name).count({ id: { lte: id } })) === id,
  async (registry, name, id) => (await registry.get(name).find({ where: { size: id % 5 }, order: 'id' })).length === 8,
  async (registry, name, id) => (await registry.get(name).updateAll({ id }, { size: id % 5 })).count === 1,
  async (registry, name, id) => {
    const model = registry.typeOf(name)
    const call = { ...serverCall(), writesJson: true }
    const found = await repository.readRecords(model, { filter: { where: { id } }, call, restriction: undefined })
    return isRecord(found.first()?.toJSON(), name, id)
  },
  async (registry, name, id) =>
    registry.transaction(async () => {
      const record = await registry.get(name).findById(id)
      return isRecord(record, name, id) && (await registry.get(name).count({ id: { lt: id } })) === id - 1
    })
]

/** Applications that send all kinds of statements at once, and what they got. */
async function sendAll(registries: readonly ModelRegistry[], rounds: number): Promise<ReadonlySet<unknown>> {
  const answers = new Set<unknown>()
  const send = async (registry: ModelRegistry, at: number): Promise<void> => {
    const [ask, name] = [asks[at % asks.length], names[at % names.length] ?? '']
    answers.add(await ask?.(registry, name, (at % 40) + 1).catch((error: unknown) => String(error)))
  }
  for (let round = 0; round < rounds; round++) {
    const work = registries.flatMap((registry, who) =>
      range(30).map(async (at) => send(registry, at + round * 7 + who))
    )
    await Promise.all(work)
  }
  return answers
}

const kindOf = (takesTimeout: boolean): string =>
  takesTimeout ? 'that passes over start parameters' : 'that refuses start parameters'

for (const settings of [{}, { preparedStatements: false }])
  for (const takesTimeout of [true, false]) {
    const title = `through a pooler ${kindOf(takesTimeout)} every statement is answered as itself: ${JSON.stringify(settings)}`
    void t.test(title, { skip, timeout: 60_000 }, async (t) => {
      const { url } = await open(t, takesTimeout)
      const first = await openModels(t, url, settings)
      const types = names.map((name) => first.typeOf(name))
      await first.dataSources.get('db')?.connector.migrate?.(types, { empty: true })
      for (const name of names)
        await first.get(name).create(range(40).map((id) => ({ id, text: `${name} ${id}`, size: id % 5 })))
      const registries = [first, await openModels(t, url, settings), await openModels(t, url, settings)]
      t.same([...(await sendAll(registries, 12))], [true])
    })
  }

void t.test(
  'a pooler of a list of hosts is found, and every statement is answered as itself',
  { skip, timeout: 60_000 },
  async (t) => {
    const { url } = await open(t, false)
    const { host, pathname, username } = new URL(url)
    const listed = `postgres://${username}@127.0.0.1:1,${host}${pathname}?target_session_attrs=read-write`
    const registry = await openModels(t, listed, {})
    const types = names.map((name) => registry.typeOf(name))
    await registry.dataSources.get('db')?.connector.migrate?.(types, { empty: true })
    for (const name of names)
      await registry.get(name).create(range(40).map((id) => ({ id, text: `${name} ${id}`, size: id % 5 })))
    t.same([...(await sendAll([registry, await openModels(t, listed, {})], 6))], [true])
  }
)

for (const takesTimeout of [true, false])
  void t.test(`the time limit of statements holds behind a pooler ${kindOf(takesTimeout)}`, { skip }, async (t) => {
    const { url, directUrl } = await open(t, takesTimeout)
    await runOn(directUrl, 'create view red as select 1 as id, pg_sleep(20)::text as text, 1 as size')
    const registry = await openModels(t, url, { statementTimeout: 300 })
    const cause = { code: '57014' }
    const slow = range(8).map(async () => t.rejects(registry.get('Red').find(), { code: 'STATEMENT_TIMEOUT', cause }))
    await Promise.all(slow)
    const within = registry.transaction(async () => registry.get('Red').find())
    await t.rejects(within, { code: 'STATEMENT_TIMEOUT', cause }, 'in a transaction')
    const [left] = await runOn(directUrl, "select current_setting('statement_timeout') as limit")
    t.same(left?.rows, [{ limit: '0' }], 'others on the server have none')
  })
