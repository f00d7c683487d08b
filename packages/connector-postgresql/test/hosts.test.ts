import { postgresql } from '@modelwire/connector-postgresql'
import { createTestDatabase, runOn } from '@modelwire/connector-tests/postgresql'
import { until } from '@modelwire/test-waits'
import t, { type Test } from 'tap'

const unavailable = { code: 'DATA_SOURCE_UNAVAILABLE', statusCode: 503 }

async function open(t: Test): Promise<{ url: string; listed: (wanted: string) => string }> {
  const { url, drop } = await createTestDatabase()
  t.teardown(() => drop())
  const { host, hostname, port } = new URL(url)
  const hosts = `${hostname}:1,${hostname}:${port === '' ? 5432 : port}`
  return { url, listed: (wanted) => `${url.replace(host, hosts)}?target_session_attrs=${wanted}` }
}

const answers = async (settings: Readonly<Record<string, unknown>>): Promise<boolean> => {
  const connector = postgresql(settings)
  try {
    await connector.connect()
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === unavailable.code) return false
    throw error
  } finally {
    await connector.disconnect()
  }
}

void t.test('the first host that is what it has to be is used, and none where there is none', async (t) => {
  const { url, listed } = await open(t)
  const found = await Promise.all(
    ['any', 'read-write', 'primary', 'prefer-standby', 'read-only', 'standby'].map(async (wanted) => [
      wanted,
      await answers({ url: listed(wanted) }),
      await answers({ url, targetSessionAttrs: wanted })
    ])
  )
  t.same(found, [
    ['any', true, true],
    ['read-write', true, true],
    ['primary', true, true],
    ['prefer-standby', true, true],
    ['read-only', false, false],
    ['standby', false, false]
  ])
})

void t.test('the error of a list names its hosts, and why none is suitable', async (t) => {
  const { listed } = await open(t)
  const connector = postgresql({ url: listed('standby') })
  t.teardown(() => connector.disconnect())
  await t.rejects(connector.connect(), {
    ...unavailable,
    message: /:1 \(.*ECONNREFUSED.*\), .* \(the host is not a standby\)/
  })
})

void t.test('a database that becomes read-only is left at its first write, and found again', async (t) => {
  const { url, listed } = await open(t)
  const connector = postgresql({ url: listed('read-write'), max: 2 })
  t.teardown(() => connector.disconnect())
  await connector.execute?.('create table note (text text)')
  const name = new URL(url).pathname.slice(1)
  await runOn(url, `alter database ${name} set default_transaction_read_only = on`)
  // Connections that are open keep what they began with.
  await runOn(
    url,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and pid <> pg_backend_pid()`
  )
  await t.rejects(async () => connector.execute?.("insert into note values ('a')"), unavailable)
  await t.rejects(async () => connector.execute?.("insert into note values ('b')"), {
    ...unavailable,
    message: /the host is read-only/
  })
  await runOn(
    url,
    'set default_transaction_read_only = off',
    `alter database ${name} reset default_transaction_read_only`
  )
  const isBack = async (): Promise<boolean> => {
    try {
      await connector.execute?.("insert into note values ('c')")
      return true
    } catch {
      return false
    }
  }
  await until(isBack, 'the database to be written to again')
  t.match(await connector.execute?.('select text from note'), [{ text: 'c' }])
})

void t.test('lists that are malformed are refused at the start', async (t) => {
  for (const settings of [
    { host: 'a,b,c', port: '1,2' },
    { url: 'postgres://a,b/d?target_session_attrs=writes' },
    { url: 'postgres://a/d', replicas: { host: 'b' } },
    { host: 'a', replicas: {} },
    { host: 'a', replicas: { host: 'b', lag: 5 } }
  ])
    t.throws(() => postgresql(settings), { code: 'OPTION_INVALID' }, JSON.stringify(settings))
})
