import { randomUUID } from 'node:crypto'
import { createTestDatabase as createMysql, whyNoServer } from '@modelwire/connector-tests/mysql'
import { createTestDatabase as createPostgresql } from '@modelwire/connector-tests/postgresql'
import t, { type Test } from 'tap'
import { redisUrl, removeKeys, whyNoRedis } from './redis-server.ts'
import {
  checkCaches,
  checkGuesses,
  checkKeys,
  checkKilledHolder,
  checkPurges,
  checkRate
} from './processes/check-processes.ts'
import { type Server, startServers } from './processes/start-servers.ts'

async function checkAll(t: Test, servers: readonly [Server, Server, Server]): Promise<void> {
  await checkRate(t, servers)
  await checkGuesses(t, servers)
  await checkKeys(t, servers)
  await checkCaches(t, servers)
  await checkPurges(t, servers)
  await checkKilledHolder(t, servers)
}

void t.test('three processes on PostgreSQL share by Redis', { skip: await whyNoRedis() }, async (t) => {
  const database = await createPostgresql()
  t.teardown(() => database.drop())
  const prefix = `${randomUUID()}:`
  removeKeys(t, prefix)
  const servers = await startServers(t, {
    database: { kind: 'postgresql', url: database.url },
    shared: { url: redisUrl, prefix }
  })
  await checkAll(t, servers)
})

void t.test(
  'three processes on MySQL or MariaDB share by their data source',
  { skip: await whyNoServer() },
  async (t) => {
    const database = await createMysql()
    t.teardown(() => database.drop())
    const servers = await startServers(t, { database: { kind: 'mysql', url: database.url }, shared: 'db' })
    await checkAll(t, servers)
  }
)
