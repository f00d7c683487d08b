import { randomUUID } from 'node:crypto'
import { modelwire } from '@modelwire/core'
import type { Connector } from '@modelwire/core/connector'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { sharedStateTests } from './shared-state-tests.ts'

async function serve(t: Test, connector: Connector): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: connector }, sharedState: 'db' })
  return app
}

/** What is counted in a transaction that is rolled back stays counted. */
async function outlivesRollback(t: Test, { models }: FastifyInstance): Promise<void> {
  const key = randomUUID()
  const failing = models.transaction(async () => {
    await models.shared.cells.count(key, 60_000)
    throw new Error('rolled back')
  })
  await t.rejects(failing, { message: 'rolled back' })
  t.equal((await models.shared.cells.count(key, 60_000)).count, 2)
}

/** Values whose time is over are removed, and no others. */
async function purges(t: Test, { models }: FastifyInstance): Promise<void> {
  const entries = models.get('SharedState')
  await entries.create({ id: 'over', value: '1', until: '0000000000001' })
  await models.shared.cells.count('kept', 60_000)
  await models.shared.purge()
  t.equal(await entries.findById('over'), null)
  t.ok(await entries.findById('kept'))
}

/**
 * The shared state of several servers in one database. The model `SharedState` is migrated in an empty place.
 * @param connectors of one database, each for a server of its own
 * @param writesBeside a transaction lets others write meanwhile
 */
export async function sharedRowsTests(t: Test, connectors: readonly Connector[], writesBeside = true): Promise<void> {
  const apps = await Promise.all(connectors.map((connector) => serve(t, connector)))
  const [first] = apps
  const [connector] = connectors
  if (first === undefined || connector === undefined) throw new TypeError('there must be a connector')
  await connector.migrate?.([first.models.typeOf('SharedState')], { empty: true })
  await Promise.all(apps.map((app) => app.ready()))
  await sharedStateTests(
    t,
    apps.map(({ models }) => models)
  )
  if (writesBeside && connector.capabilities.transactions) await outlivesRollback(t, first)
  await purges(t, first)
}
