import t from 'tap'
import type { Difference } from '#src/diff/compare.ts'
import { groupOutcomes } from '#src/diff/group-outcomes.ts'
import { outcome } from './outcome.ts'

const differences: readonly Difference[] = [
  { where: '/0/at', kind: 'value', old: 1, new: 2 },
  { where: '/1/at', kind: 'value', old: 3, new: 4 },
  { where: 'status', kind: 'status', old: 200, new: 404 }
]

t.test('outcomes are grouped by the model whose path they have, also below each other', async (t) => {
  const places = [
    { model: 'Book', path: '/api/books' },
    { model: 'Cover', path: '/api/books/covers' },
    { model: 'Note', path: '/api/notes' }
  ]
  const outcomes = [
    outcome('/api/books?filter={}', differences),
    outcome('/api/books/1', []),
    outcome('/api/books/covers/1', differences.slice(2)),
    outcome('/api/notes', []),
    outcome('/login', [])
  ]
  t.match(groupOutcomes(outcomes, places), [
    { name: 'Book', sent: 2, differing: 1 },
    { name: 'Cover', sent: 1, differing: 1 },
    { name: '/login', sent: 1, differing: 0, groups: [] },
    { name: 'Note', sent: 1, differing: 0, groups: [] }
  ])
})

t.test('where no models are known, the part of the path that tells requests apart names a group', async (t) => {
  const namesOf = (...paths: readonly string[]): string[] =>
    groupOutcomes(
      paths.map((path) => outcome(path, [])),
      []
    ).map(({ name }) => name)
  t.same(namesOf('/api/books', '/api/books/1', '/api/notes?a=/b'), ['/api/books', '/api/notes'])
  t.same(namesOf('/books', '/books/1', '/login'), ['/books', '/login'])
  t.same(namesOf('/'), ['/'])
})

t.test('the same difference of several items and requests is one group, the most frequent first', async (t) => {
  const [group] = groupOutcomes([outcome('/a', differences.slice(2)), outcome('/a/1', differences)], [])
  t.match(group?.groups, [
    { kind: 'status', where: 'status', occurrences: [{ times: 1 }, { times: 1 }] },
    { kind: 'value', where: '/*/at', occurrences: [{ times: 2, difference: { where: '/0/at' } }] }
  ])
})
