import { EventEmitter } from 'node:events'
import { modelwire } from '@modelwire/core'
import Fastify from 'fastify'
import t from 'tap'
import { loopback } from '#src/loopback.ts'

type Callback = (error?: unknown) => void

void t.test('what a connector tells between calls is logged, and known of its data source', async (t) => {
  const source = new EventEmitter()
  const asked: string[] = []
  const driver = {
    name: 'own',
    connect: (callback: Callback) => (asked.push('connect'), callback()),
    ping: (callback: Callback) => callback(),
    disconnect: (callback: Callback) => callback()
  }
  const initialize = (dataSource: EventEmitter, callback: Callback): void => {
    Object.assign(dataSource, { connector: driver })
    for (const event of ['error', 'disconnected']) source.on(event, (...args) => dataSource.emit(event, ...args))
    callback()
  }
  const lines: { msg: string; dataSource: string; err: { message: string } }[] = []
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const app = Fastify({ logger: { level: 'error', stream } })
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: loopback({ initialize }) }, models: [] })
  await app.ready()
  const db = app.models.dataSources.get('db')
  t.equal(db?.connection.state, 'open')
  source.emit('error', new Error('reset'))
  t.match(lines, [{ msg: 'a data source reported an error', dataSource: 'db', err: { message: 'reset' } }])
  source.emit('disconnected')
  t.equal(db?.connection.state, 'closed')
  t.match(lines[1], { err: { code: 'DATA_SOURCE_UNAVAILABLE' } })
  await db?.connector.ping()
  t.strictSame(asked, ['connect'], 'the next call connects')
  t.equal(db?.connection.state, 'open')
})
