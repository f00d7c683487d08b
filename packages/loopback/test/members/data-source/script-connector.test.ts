import type { Connector } from '@modelwire/core/connector'
import { memory } from '@modelwire/connector-memory'
import type { ScriptFunction } from '#src/callback-bridge.ts'
import { scriptConnector } from '#src/members/data-source/script-connector.ts'
import t from 'tap'

/** A connector that tells what it was asked to run. */
const asked = (): Connector & { execute: NonNullable<Connector['execute']> } =>
  Object.assign(memory(), {
    execute: async (statement: string, parameters?: readonly unknown[]) => [statement, parameters]
  })

const functionOf = (connector: unknown, name: string): ScriptFunction =>
  Reflect.get(connector as object, name) as ScriptFunction

void t.test('statements of the database run with parameters, options and a callback, or none of them', async (t) => {
  const connector = scriptConnector(asked())
  for (const name of ['execute', 'query', 'command']) {
    const run = functionOf(connector, name)
    t.same(await run('select 1'), ['select 1', []])
    t.same(await run('select $1', [1]), ['select $1', [1]])
    t.same(await run('select $1', [1], {}), ['select $1', [1]])
    const called = new Promise((resolve) => void run('select 2', (...results: unknown[]) => resolve(results)))
    t.same(await called, [null, ['select 2', []]])
  }
  await t.rejects(async () => functionOf(connector, 'execute')(1), { code: 'SCRIPT_ARGUMENT_INVALID' })
  await t.rejects(async () => functionOf(connector, 'execute')('select 1', 1), { code: 'SCRIPT_ARGUMENT_INVALID' })
})

void t.test('everything else is that of the connector', async (t) => {
  const connector = scriptConnector(asked())
  t.equal(Reflect.get(connector as object, 'name'), 'memory')
  t.equal(await functionOf(connector, 'ping')(), undefined)
})

void t.test('one of LoopBack is shown in the place of its driver', async (t) => {
  const driver = { execute: () => {} }
  t.equal(scriptConnector(Object.assign(memory(), { scriptConnector: driver })), driver)
})
