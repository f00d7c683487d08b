import { randomInt } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { until } from '@modelwire/test-waits'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { type Database, databases } from './databases.ts'
import { openApp } from './open-app.ts'

const counter = {
  name: 'Counter',
  changeLog: true,
  public: true,
  strict: false,
  options: { mysql: { table: 'counter' } },
  properties: { id: { type: 'number', id: true }, value: 'number' }
} as const
const keys = [1, 2, 3, 4, 5]

class TakenBack extends Error {}

/** MongoDB takes transactions back that change the same record at the same time. */
const isConflict = (error: unknown): boolean => Reflect.get(Object(error), 'code') === 'TRANSACTION_CONFLICT'

interface Counting {
  readonly count: Database['countUp']
  readonly takesBack: boolean
}

/** Counts some of the counters up in one transaction, which lasts while others begin and end; now and then it is taken back. */
async function countUp(app: FastifyInstance, { count, takesBack }: Counting): Promise<number[]> {
  const chosen = keys.filter(() => randomInt(3) === 0)
  try {
    await app.models.transaction(async () => {
      // In the order of their keys: others wait instead of being taken back.
      for (const key of chosen) {
        await count(app, key)
        for (let turns = randomInt(20); turns > 0; turns--) await turn()
      }
      if (takesBack && randomInt(8) === 0) throw new TakenBack()
    })
    return chosen
  } catch (error) {
    if (error instanceof TakenBack || isConflict(error)) return []
    throw error
  }
}

for (const { name, skip, create, lacksTransactions } of databases)
  t.test(
    `${name}: every process hears of each committed change once, those of a record in their order`,
    { skip },
    async (t) => {
      const database = await create()
      t.teardown(database.drop)
      const first = await openApp(t, { connector: database.connect(), models: [counter] })
      const others = [1, 2].map(async () =>
        openApp(t, { connector: database.connect(), models: [counter], migrates: false })
      )
      const apps = [first, ...(await Promise.all(others))]
      for (const key of keys) await first.models.get('Counter').create({ id: key, value: 0 })
      const heard = apps.map(() => new Map<number, number[]>(keys.map((key) => [key, []])))
      for (const [at, app] of apps.entries()) {
        await app.models.changeLogs.get('db')?.heard()
        app.models.changes.subscribe('Counter', ({ id, kind, after }) => {
          if (kind === 'update') heard[at]?.get(Number(id))?.push(Number(after?.['value']))
        })
      }
      const counting = { count: database.countUp, takesBack: lacksTransactions !== true }
      const counts = new Map<number, number>(keys.map((key) => [key, 0]))
      const work = async (app: FastifyInstance): Promise<void> => {
        for (let round = 0; round < 40; round++)
          for (const key of await countUp(app, counting)) counts.set(key, (counts.get(key) ?? 0) + 1)
      }
      await Promise.all(apps.flatMap((app) => [work(app), work(app)]))
      const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
      const size = (lists: Map<number, number[]>): number =>
        [...lists.values()].reduce((sum, list) => sum + list.length, 0)
      await until(
        () => heard.every((lists) => size(lists) >= total),
        () => `${total} changes, not ${heard.map(size).join()}`
      )
      for (const lists of heard)
        for (const [key, values] of lists)
          t.strictSame(
            values,
            Array.from({ length: counts.get(key) ?? 0 }, (_, at) => at + 1),
            `counter ${key}`
          )
    }
  )
