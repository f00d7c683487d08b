import type { Connector } from '@modelwire/core/connector'
import type { Test } from 'tap'

/** What a database calls a setting, and how to read it. */
export interface SessionProbe {
  readonly create: (settings: Readonly<Record<string, unknown>>) => Connector
  /** A setting with a value other than the default. */
  readonly session: Readonly<Record<string, string | number | boolean>>
  /** Reads it on a connection of the connector. */
  readonly read: (connector: Connector) => Promise<unknown>
}

/** Settings of the server's own that connections start with. */
export async function sessionTests(t: Test, { create, session, read }: SessionProbe): Promise<void> {
  const [value] = Object.values(session)

  await t.test('each connection starts with the settings of the data source', async (t) => {
    const connector = create({ session })
    t.teardown(() => connector.disconnect())
    await connector.connect()
    t.equal(String(await read(connector)), String(value))
    const inTransaction = await connector.transaction?.(async () => read(connector))
    t.equal(String(inTransaction), String(value))
  })

  await t.test('a setting that the server does not know keeps it from starting, with a code', async (t) => {
    const connector = create({ session: { no_such_setting_here: 1 } })
    t.teardown(() => connector.disconnect())
    await t.rejects(connector.connect(), { code: 'DATABASE_FAILED', statusCode: 500 })
  })

  await t.test('what is no name of a setting is refused', async (t) => {
    t.throws(() => create({ session: { "x' ; --": 1 } }), { code: 'OPTION_INVALID' })
    t.throws(() => create({ session: { work_mem: { a: 1 } } }), { code: 'OPTION_INVALID' })
  })
}
