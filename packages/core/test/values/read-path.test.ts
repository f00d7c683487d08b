import t from 'tap'
import { readPath } from '#src/values/read-path.ts'

const row = {
  name: 'abc',
  tags: ['x', 'yy'],
  list: [{ k: 1, inner: [{ v: 1 }, { v: 2 }] }, { k: 2 }, null, 'text'],
  none: [],
  nested: { a: { b: null } },
  'odd.name': 1,
  '': { '': 5 }
}

const table: readonly (readonly [path: string, value: unknown])[] = [
  ['name', 'abc'],
  ['name.length', 3],
  ['name.0', 'a'],
  ['name.toUpperCase', undefined],
  ['tags', ['x', 'yy']],
  ['tags.0', 'x'],
  ['tags.2', undefined],
  ['tags.00', [undefined, undefined]],
  ['tags.length', 2],
  ['tags.map', [undefined, undefined]],
  ['list.k', [1, 2, undefined, undefined]],
  ['list.0.k', 1],
  ['list.inner.v', [1, 2, undefined, undefined, undefined]],
  ['none', []],
  ['none.k', undefined],
  ['nested.a.b', null],
  ['nested.a.b.c', null],
  ['nested.toString', undefined],
  ['__proto__', undefined],
  ['constructor.name', undefined],
  ['nested.', undefined],
  ['.', 5],
  ['missing.deeper', undefined]
]

for (const [path, value] of table) {
  void t.test(`reads ${JSON.stringify(path)}`, async (t) => {
    t.strictSame(readPath(row, path.split('.')), value)
  })
}
