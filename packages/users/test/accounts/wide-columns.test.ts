import { sqlite } from '@modelwire/connector-sqlite'
import { migrate } from '@modelwire/core'
import t, { type Test } from 'tap'
import { ask, makeApp } from '../make-app.ts'

/** An application whose table of customers takes addresses with trailing spaces for the same ones without. */
async function open(t: Test, compat: boolean) {
  const connector = sqlite({ file: ':memory:' })
  await connector.connect()
  await connector.execute?.('create table customer (id integer primary key autoincrement, email text collate rtrim)')
  const resets: string[] = []
  const users = { onResetRequest: ({ email }: { email: string }) => resets.push(email) }
  const app = await makeApp(t, { connector, compat, users })
  await app.ready()
  await migrate(app.models)
  await ask(app, 'POST', '/Customers', { email: 'ann@example.org', password: 'secret' })
  const logIn = async (email: string): Promise<number> =>
    (await ask(app, 'POST', '/Customers/login', { email, password: 'secret' })).statusCode
  const reset = async (email: string): Promise<readonly string[]> => {
    await ask(app, 'POST', '/Customers/reset', { email })
    return resets.splice(0)
  }
  return { logIn, reset }
}

void t.test(
  'an account is found by the address that it has, not by one that a column takes for the same',
  async (t) => {
    const { logIn, reset } = await open(t, false)
    t.equal(await logIn('ann@example.org'), 200)
    t.equal(await logIn('ann@example.org '), 401)
    t.strictSame(await reset('ann@example.org'), ['ann@example.org'])
    t.strictSame(await reset('ann@example.org '), [])
  }
)

void t.test('in compat mode the column decides, and a reset goes to the address that is stored', async (t) => {
  const { logIn, reset } = await open(t, true)
  t.equal(await logIn('ann@example.org '), 200)
  t.strictSame(await reset('ann@example.org '), ['ann@example.org'])
})
