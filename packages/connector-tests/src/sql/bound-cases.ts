import type { AnswerBounds, Filter } from '@modelwire/core/connector'
import { filterOf } from '../conditions.ts'
import { openModels, type SqlCase } from './sql-case.ts'

const names = { rows: 'most.rows', bytes: 'most.bytes' }
const megabyte = 1024 * 1024

const within = (rows: number, bytes = 64 * megabyte): Partial<Filter> => {
  const atMost: AnswerBounds = { rows, bytes, options: names }
  return { atMost }
}

/** How answers are bounded by statements, and what becomes of connections. */
export const boundCases: readonly SqlCase[] = [
  {
    name: 'a bounded read is one statement, which asks for one row beyond the bound',
    run: async (t, options) => {
      const { registry, statements } = await openModels(t, options)
      const { collection } = registry.typeOf('SqlBook')
      await collection?.insert(Array.from({ length: 5 }, (_, pages) => ({ pages })))
      statements.length = 0
      await t.rejects(async () => collection?.find(filterOf(within(3))), { code: 'ANSWER_TOO_LARGE' })
      t.equal(statements.length, 1)
      t.match(statements[0], /limit 4\b/)
      statements.length = 0
      t.equal((await collection?.find(filterOf({ limit: 2, ...within(3) })))?.length, 2)
      t.match(statements, [/limit 2\b/])
    }
  },
  {
    name: 'too many records within a transaction are an error that it can go on after',
    run: async (t, options) => {
      const { registry } = await openModels(t, options)
      const { collection, dataSource } = registry.typeOf('SqlBook')
      await dataSource?.connector.transaction?.(async () => {
        await collection?.insert([{ pages: 1 }, { pages: 2 }])
        await t.rejects(async () => collection?.find(filterOf(within(1))), { code: 'ANSWER_TOO_LARGE' })
        t.equal((await collection?.find(filterOf(within(2))))?.length, 2)
      })
      t.equal(await collection?.count(undefined), 2)
    }
  },
  {
    name: 'too many bytes within a transaction leave all of it or nothing, and connections for others',
    run: async (t, options) => {
      const { registry } = await openModels(t, options)
      const { collection, dataSource } = registry.typeOf('SqlBook')
      await collection?.insert(Array.from({ length: 8 }, () => ({ meta: { text: 'x'.repeat(megabyte / 2) } })))
      const unguarded = async () => {
        await collection?.insert([{ title: 'new' }])
        const reading = async () => collection?.find(filterOf(within(100, megabyte)))
        await t.rejects(reading, { code: 'ANSWER_TOO_LARGE', exceeded: 'bytes' })
      }
      // Some databases end the connection, and with it the transaction.
      const [outcome] = await Promise.allSettled([dataSource?.connector.transaction?.(unguarded)])
      t.equal(await collection?.count(undefined), outcome?.status === 'fulfilled' ? 9 : 8)
      await dataSource?.connector.transaction?.(async () => collection?.insert([{ title: 'newer' }]))
      t.equal((await collection?.find(filterOf({ limit: 2, ...within(2) })))?.length, 2)
    }
  }
]
