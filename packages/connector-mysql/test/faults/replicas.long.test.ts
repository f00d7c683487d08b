import { mysql } from '@modelwire/connector-mysql'
import { runOn, startReplication, whyNoMariadb } from '@modelwire/connector-tests/mysql'
import { modelwire } from '@modelwire/core'
import { rest } from '@modelwire/rest'
import { takeTime, until } from '@modelwire/test-waits'
import Fastify, { type FastifyInstance } from 'fastify'
import t from 'tap'

const maxLag = 400

/** Which server answers a list of a client that wrote nothing: `copy`, `primary`, or a status that is none of success. */
async function ask(app: FastifyInstance): Promise<string> {
  const answer = await app.inject({ url: '/api/Places', remoteAddress: '10.0.0.1' })
  if (answer.statusCode !== 200) return String(answer.statusCode)
  return answer.json<{ copy: boolean }[]>()[0]?.copy === true ? 'copy' : 'primary'
}

const untilCopy = async (app: FastifyInstance): Promise<void> => {
  await until(async () => (await ask(app)) === 'copy', 'the replica to answer', 10_000)
}

/** A view may not name a variable itself. */
const view = `create view Place as select 1 as id, (
  select variable_value = 'ON' from information_schema.global_variables where variable_name = 'READ_ONLY') as copy`

const options = { skip: whyNoMariadb(), timeout: 90_000 }

void t.test('reads of clients are answered by a replica of MariaDB that is current', options, async (t) => {
  const { primary, replica, stop } = await startReplication()
  t.teardown(() => stop())
  await runOn(primary.url, view, 'create table t (id int)')
  const hosts = `127.0.0.1:${primary.port},127.0.0.1:${replica.port}`
  const connector = mysql({
    url: `mysql://root@${hosts}/faults`,
    replicas: { url: `mysql://root@${hosts}/faults`, maxLag, readAfterWrite: 0 }
  })
  const app = Fastify()
  await app.register(modelwire, {
    dataSources: { db: connector },
    models: {
      Place: {
        name: 'Place',
        strict: true,
        public: true,
        properties: { id: { type: 'number', id: true }, copy: 'boolean' }
      }
    }
  })
  await app.register(rest, { prefix: '/api' })
  t.teardown(() => app.close())
  await app.ready()
  await untilCopy(app)
  t.match(await app.models.get('Place').find(), [{ copy: false }], 'code outside of requests')
  await runOn(replica.url, 'stop slave sql_thread')
  await runOn(primary.url, 'insert into t values (1)')
  await until(async () => (await ask(app)) === 'primary', 'a replica that stands still to be left alone')
  await runOn(replica.url, 'start slave')
  await untilCopy(app)
  await primary.kill()
  await takeTime(3 * maxLag, 'the bound of lag to be over')
  t.equal(await ask(app), 'copy', 'while the primary is away')
  await t.rejects(connector.ping(), { code: 'DATA_SOURCE_UNAVAILABLE', message: /read-only/ })
})
