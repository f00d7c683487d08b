import { type ModelDefinition, ModelRegistry } from '@modelwire/core'
import type { Test } from 'tap'
import type { SqlCase, SqlTestsOptions } from './sql-case.ts'

/** Its ids and its codes tell records apart; nothing tells its labels apart. */
const ticket: ModelDefinition = {
  name: 'SqlTicket',
  strict: true,
  forceId: false,
  properties: {
    id: { type: 'string', id: true },
    code: { type: 'string', unique: true, length: 40 },
    label: 'string',
    rank: 'number'
  }
}

type Tickets = ReturnType<ModelRegistry['get']>

/** The model in several registries on one database, as processes have it. */
async function openRegistries(t: Test, { create }: SqlTestsOptions): Promise<readonly ModelRegistry[]> {
  const registries = [1, 2].map(() => {
    const registry = new ModelRegistry()
    registry.addDataSource('db', create({}))
    registry.define(ticket)
    registry.attach(ticket.name, 'db')
    t.teardown(() => registry.disconnect())
    return registry
  })
  for (const [at, registry] of registries.entries()) {
    await registry.connect()
    await registry.dataSources.get('db')?.connector.migrate?.([registry.typeOf(ticket.name)], { empty: at === 0 })
  }
  return registries
}

const openTwice = async (t: Test, options: SqlTestsOptions): Promise<readonly Tickets[]> =>
  (await openRegistries(t, options)).map((registry) => registry.get(ticket.name))

const callers = Array.from({ length: 40 }, (_, at) => at)

/** Lets all callers do something at once, on either registry. */
const atOnce = async <Result>(
  tickets: readonly Tickets[],
  work: (model: Tickets, caller: number) => Promise<Result>
): Promise<Result[]> =>
  Promise.all(callers.map(async (caller) => work(tickets[caller % tickets.length] as Tickets, caller))) // there are two

const registryOf = (registries: readonly ModelRegistry[], caller: number): ModelRegistry =>
  registries[caller % registries.length] as ModelRegistry // there are two

/** Who comes at the same time, from several processes. */
export const raceCases: readonly SqlCase[] = [
  {
    name: 'of those who put a new record one creates it and the others replace it',
    run: async (t, options) => {
      const tickets = await openTwice(t, options)
      for (const id of ['a', 'b', 'c']) {
        await atOnce(tickets, (model, rank) => model.replaceOrCreate({ id, rank }))
        t.equal(await tickets[0]?.count({ id }), 1)
      }
    }
  },
  {
    name: 'of those who patch or create a record one creates it',
    run: async (t, options) => {
      const tickets = await openTwice(t, options)
      await atOnce(tickets, (model, rank) => model.patchOrCreate({ id: 'a', rank }))
      t.equal(await tickets[0]?.count(), 1)
    }
  },
  {
    name: 'of those who find or create a unique value one creates the record that all have',
    run: async (t, options) => {
      const tickets = await openTwice(t, options)
      const results = await atOnce(tickets, (model, caller) =>
        model.findOrCreate({ where: { code: 'x' } }, { id: String(caller), code: 'x' })
      )
      t.equal(results.filter(([, isNew]) => isNew).length, 1)
      t.equal(new Set(results.map(([record]) => record['id'])).size, 1)
      t.equal(await tickets[0]?.count(), 1)
    }
  },
  {
    name: 'of those who update or create what matches a unique value one creates it',
    run: async (t, options) => {
      const tickets = await openTwice(t, options)
      await atOnce(tickets, (model, caller) =>
        model.upsertWithWhere({ code: 'x' }, { id: 'x', code: 'x', rank: caller })
      )
      t.equal(await tickets[0]?.count(), 1)
    }
  },
  {
    name: 'of those who find or create, or update or create, what nothing tells apart one creates it',
    run: async (t, options) => {
      const tickets = await openTwice(t, options)
      const results = await atOnce(tickets, (model, caller) =>
        model.findOrCreate({ where: { label: 'x', rank: 1 } }, { id: String(caller), label: 'x', rank: 1 })
      )
      t.equal(results.filter(([, isNew]) => isNew).length, 1)
      await atOnce(tickets, (model, rank) =>
        model.upsertWithWhere({ label: 'y' }, { id: `y${rank}`, label: 'y', rank })
      )
      t.equal(await tickets[0]?.count(), 2)
    }
  },
  {
    name: 'a transaction that comes second to a record finds it, and goes on',
    run: async (t, options) => {
      const registries = await openRegistries(t, options)
      const tickets = registries.map((registry) => registry.get(ticket.name))
      const ids = await atOnce(tickets, (model, caller) =>
        registryOf(registries, caller).transaction(async () => {
          const [{ id }] = await model.findOrCreate({ where: { code: 'x' } }, { id: 'x', code: 'x' })
          await model.create({ id: `after ${caller}`, label: id })
          return id
        })
      )
      t.same(new Set(ids), new Set(['x']))
      t.equal(await tickets[0]?.count({ label: 'x' }), callers.length)
    }
  },
  {
    name: 'a value of another record is still a conflict',
    run: async (t, options) => {
      const [Tickets] = await openTwice(t, options)
      await Tickets?.create({ id: 'a', code: 'x' })
      const conflict = { code: 'DUPLICATE_KEY', statusCode: 409 }
      await t.rejects(async () => Tickets?.replaceOrCreate({ id: 'b', code: 'x' }), conflict)
      await t.rejects(async () => Tickets?.findOrCreate({ where: { id: 'b' } }, { id: 'b', code: 'x' }), conflict)
      await t.rejects(async () => Tickets?.upsertWithWhere({ id: 'b' }, { id: 'b', code: 'x' }), conflict)
    }
  }
]
