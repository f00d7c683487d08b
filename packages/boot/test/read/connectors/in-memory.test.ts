import { memory, transient } from '@modelwire/connector-memory'
import { kvMemory } from '@modelwire/key-value'
import { inMemory, inMemoryLike } from '@modelwire/boot/in-memory'
import t from 'tap'

t.test('memory has the types and the transactions of the database in whose place it stands', async (t) => {
  const facts = (name: string): unknown[] => {
    const { capabilities } = inMemory[name]?.({}) ?? {}
    return [capabilities?.generatedIdType, capabilities?.transactions]
  }
  t.same(facts('loopback-connector-mongodb'), ['string', true])
  t.same(facts('postgresql'), ['number', true])
  t.same(facts('memory'), ['number', false])
  t.equal(inMemory['kv-redis']?.({}).name, 'kv-memory')
  t.equal(inMemory['mail'], undefined)
})

t.test('so does memory in place of a connector that was made', async (t) => {
  const own = memory({ transactions: true })
  t.not(inMemoryLike(own), own)
  t.equal(inMemoryLike(own).capabilities.transactions, true)
  t.equal(inMemoryLike(memory()).capabilities.transactions, false)
  t.equal(inMemoryLike(transient()).capabilities.generatedIdType, 'string')
  t.equal(inMemoryLike(kvMemory()).name, 'kv-memory')
  const mail = Object.assign(memory(), { name: 'mail', capabilities: { ...own.capabilities, operations: new Set() } })
  t.equal(inMemoryLike(mail), mail)
})
