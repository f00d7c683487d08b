import t from 'tap'
import { ModelRegistry } from '#src/registry.ts'
import { dropRules, isDropped } from '#src/validation/validate-instance.ts'

void t.test('rules are taken away from one model alone', async (t) => {
  const registry = new ModelRegistry()
  registry.define({ name: 'Note', properties: { text: { type: 'string', required: true } } })
  registry.define({ name: 'Memo', base: 'Note' })
  const [note, memo] = [registry.typeOf('Note'), registry.typeOf('Memo')]
  const [rule] = note.rules
  dropRules(note, ({ property }) => property === 'text')
  t.strictSame(note.rules, [])
  t.equal(memo.rules.length, 1)
  t.equal(rule !== undefined && isDropped(note, rule), true)
  t.equal(rule !== undefined && isDropped(memo, rule), false)
})
