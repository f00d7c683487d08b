import { EventEmitter } from 'node:events'
import t from 'tap'
import { whyUnreachable } from '#src/client.ts'

void t.test('the last error says why there is no connection, until there is one', async (t) => {
  const client = new EventEmitter()
  const why = whyUnreachable(client)
  t.equal(why(), undefined)
  client.emit('error', new Error('first'))
  client.emit('error', new Error('second'))
  t.match(why(), { message: 'second' })
  client.emit('ready')
  t.equal(why(), undefined)
})
