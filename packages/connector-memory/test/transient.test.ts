import t from 'tap'
import { filterOf } from '@modelwire/connector-tests'
import { ModelRegistry } from '@modelwire/core'
import type { Collection } from '@modelwire/core/connector'
import { transient } from '#src/transient.ts'

function open(id?: object): Collection {
  const registry = new ModelRegistry()
  registry.addDataSource('none', transient())
  registry.define({ name: 'Mail', properties: { text: 'string', ...(id && { id }) } })
  registry.attach('Mail', 'none')
  const { collection } = registry.typeOf('Mail')
  if (collection === undefined) throw new Error('not attached')
  return collection
}

void t.test('what is inserted gets an id and is not found again', async (t) => {
  const mails = open()
  const [mail, other] = await mails.insert([{ text: 'a' }, { text: 'b' }])
  t.match(mail, { text: 'a', id: /^[0-9a-f]{24}$/ })
  t.not(mail?.['id'], other?.['id'])
  t.same(await mails.find(filterOf({})), [])
  t.equal(await mails.findById(String(mail?.['id'])), undefined)
  t.equal(await mails.count(undefined), 0)
})

void t.test('nothing is there to be changed', async (t) => {
  const mails = open()
  t.equal(await mails.update(undefined, { text: 'x' }), 0)
  t.equal(await mails.delete(undefined), 0)
  t.equal(await mails.replace('1', { text: 'x' }), false)
  t.match(await mails.upsert({ id: '5', text: 'x' }), { row: { id: '5', text: 'x' }, created: true })
})

void t.test('an id is made of the type that the model declares', async (t) => {
  const numbered = open({ type: 'number', id: true })
  const [{ id } = {}, given] = await numbered.insert([{ text: 'a' }, { id: 7, text: 'b' }])
  t.ok(Number.isInteger(id) && Number(id) > 0)
  t.match(given, { id: 7 })
  t.match(await open({ type: 'string', id: true }).insert([{ text: 'a' }]), [{ id: /^[0-9a-f]{24}$/ }])
})
