import t from 'tap'
import { findAccount } from '#src/models/log-in.ts'

/** A table of accounts that takes every address for that of the only one, as a collation without accents may. */
const accounts = (email: string) => {
  const stored = { id: 1, email }
  return {
    findOne: async () => stored,
    findOrCreate: async () => [stored],
    create: async (data: object) => ({ id: 2, ...data })
  }
}

const options = { emailOptional: false, linkExisting: true } as never

void t.test(
  'a profile belongs to the account with its address, not to one that a database takes for the same',
  async (t) => {
    const find = async (email: string): Promise<unknown> =>
      findAccount(
        accounts('Ann@example.org') as never,
        { email, password: 'x' } as never,
        { id: '1' } as never,
        options
      )
    t.match(await find('ann@example.org'), { id: 1 })
    t.match(await find('änn@example.org'), { id: 2 })
    t.match(await find('ann@example.org '), { id: 2 })
  }
)
