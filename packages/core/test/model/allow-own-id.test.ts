import { memory } from '@modelwire/connector-memory'
import { ModelRegistry } from '@modelwire/core'
import { allowOwnId } from '@modelwire/core/plugin'
import t from 'tap'

t.test('code may choose the id of one record where nobody else may', async (t) => {
  const registry = new ModelRegistry()
  registry.addDataSource('db', memory())
  const Note = registry.define({ name: 'Note', forceId: true, properties: { text: 'string' } })
  registry.attach('Note', 'db')
  await registry.connect()
  t.teardown(() => registry.disconnect())
  await t.rejects(Note.create({ id: 7, text: 'a' }), { code: 'VALIDATION_FAILED' })
  const draft = new (registry.typeOf('Note').modelClass)({ id: 7, text: 'a' })
  t.match(await Note.create(allowOwnId(draft)), { id: 7, text: 'a' })
  t.match(await Note.create({ text: 'b' }), { id: 8 })
  await t.rejects(Note.create({ id: 9 }), { code: 'VALIDATION_FAILED' })
})
