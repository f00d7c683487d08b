import t from 'tap'
import { findMissingMembers } from '#src/check/examine-scripts.ts'

const linesOf = (text: string): readonly unknown[] =>
  findMissingMembers('common/models/note.js', text).map(({ line, reason }) => [line, reason.split(' ')[0]])

t.test('calls of members that are refused are found, each by its line', async (t) => {
  const text = `module.exports = (Note, app) => {
  // Note.replicate(other)
  Note.replicate(Note.app.models.Other)
  app.models.Note.currentCheckpoint(console.log)
  app.dataSources.db.discoverSchemasSync('note')
  app.remotes().defineType('money', () => {})
}`
  t.strictSame(linesOf(text), [
    [4, 'Model.currentCheckpoint'],
    [3, 'Model.replicate'],
    [5, 'dataSource.discoverSchemasSync'],
    [6, 'remotes.defineType']
  ])
  const [first] = findMissingMembers('a.js', 'Note.normalizeInclude([])')
  t.match(first, { effect: 'differs', file: 'a.js', line: 1, advice: /filter include/ })
})

t.test('members of other objects, and of the application itself, are nothing to tell', async (t) => {
  t.strictSame(linesOf('moment(a).diff(b); list.include(1); _.mixin({}); fn.bind(app)'), [])
  t.strictSame(linesOf('Note.changes = () => []\nNote.changes()'), [])
})
