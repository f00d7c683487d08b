import { memory } from '@modelwire/connector-memory'
import { findPort } from '@modelwire/connector-tests'
import type { Connector, StatementListener } from '@modelwire/core/connector'
import { withoutListening } from '@modelwire/server'
import { until } from '@modelwire/test-waits'
import t from 'tap'
import { bootApp, type Files, notesOf, refusal } from './make-app.ts'

const withOps = (params: unknown, more: Files = {}): Files => ({
  'server/component-config.json': { '@modelwire/ops': params },
  ...more
})

void t.test('component-config.json gives a folder health and metrics', async (t) => {
  const server = await bootApp(t, withOps({ metrics: true }))
  t.strictSame(notesOf(server), [])
  t.strictSame((await server.inject('/ready')).json(), { status: 'ready', dataSources: { db: 'up' } })
  await server.inject({ method: 'POST', url: '/api/Things', payload: { label: 'a' } })
  await server.inject('/API/things')
  const { payload } = await server.inject('/metrics')
  t.match(payload, 'modelwire_operation_duration_seconds_count{model="Thing",operation="create",status="200"} 1')
  t.match(payload, 'modelwire_operation_duration_seconds_count{model="Thing",operation="find",status="200"} 1')
})

void t.test('without it a folder has none of these routes', async (t) => {
  const server = await bootApp(t)
  for (const path of ['/live', '/ready', '/metrics']) t.equal((await server.inject(path)).statusCode, 404, path)
})

void t.test('true stands for the defaults, and null in an environment leaves it out there', async (t) => {
  const files = withOps(true, { 'server/component-config.production.json': { '@modelwire/ops': null } })
  const server = await bootApp(t, files)
  t.equal((await server.inject('/live')).statusCode, 200)
  t.equal((await server.inject('/metrics')).statusCode, 404, 'metrics are no business of clients')
  t.equal((await (await bootApp(t, files, { env: 'production' })).inject('/live')).statusCode, 404)
})

void t.test('connectors report statements before they connect, as some drivers need it', async (t) => {
  const order: string[] = []
  const watched = (): Connector => {
    const connector = memory()
    const connect = connector.connect.bind(connector)
    return Object.assign(connector, {
      connect: async () => {
        order.push('connect')
        await connect()
      },
      activity: {
        listen: (listener: (report: Parameters<StatementListener>[0]) => void) => {
          order.push('listen')
          Object.assign(connector, { ping: async () => listener({ verb: 'select', start: 0, duration: 1 }) })
        }
      }
    })
  }
  const datasources = { 'server/datasources.json': { db: { connector: 'watched' } } }
  const server = await bootApp(t, withOps({ metrics: true }, datasources), { connectors: { watched } })
  t.strictSame(order, ['listen', 'connect'])
  await server.inject('/ready')
  const { payload } = await server.inject('/metrics')
  t.match(payload, 'modelwire_statement_duration_seconds_count{data_source="db",verb="select",outcome="done"} 1')
})

/** A folder whose health has a port that a variable names. */
const withPort = async (): Promise<{ port: number; files: Files; variables: Record<string, string> }> => {
  const port = await findPort()
  return { port, files: withOps({ port: '${OPS_PORT}' }), variables: { OPS_PORT: String(port) } }
}

void t.test('the port may come from a variable', async (t) => {
  const { port, files, variables } = await withPort()
  const server = await bootApp(t, files, { variables })
  await until(async () => (await fetch(`http://127.0.0.1:${port}/live`)).ok, 'the port to answer')
  t.match(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text(), 'modelwire_data_source_up')
  t.equal((await server.inject('/live')).statusCode, 404)
})

void t.test('commands that read an application do not open the port', async (t) => {
  const { port, files, variables } = await withPort()
  await withoutListening(async () => bootApp(t, files, { variables }))
  await t.rejects(fetch(`http://127.0.0.1:${port}/live`))
})

void t.test('an option that is wrong ends the start', async (t) => {
  t.match(await refusal(t, withOps({ ports: 1 })), { code: 'OPTION_INVALID' })
})
