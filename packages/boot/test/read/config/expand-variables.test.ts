import t from 'tap'
import { expandVariables } from '#src/read/config/expand-variables.ts'

const variables: Readonly<Record<string, unknown>> = {
  host: 'db.example',
  port: 5432,
  root: '/api',
  none: '',
  deep: { a: [1] }
}

const cases: [string, unknown, unknown][] = [
  [
    'a whole text becomes the value, whatever its type',
    ['${host}', '${port}', '${deep}'],
    ['db.example', 5432, { a: [1] }]
  ],
  ['known variables are filled into longer texts', '${root}/${host}:${port}', '/api/db.example:5432'],
  ['unknown ones in longer texts stay', 'a-${nope}-b', 'a-${nope}-b'],
  [
    'a default counts where there is no value',
    ['${nope:-a b}', '${host:-a}', 'x-${nope:-}-${port:-1}'],
    ['a b', 'db.example', 'x--5432']
  ],
  ['a default counts where the value is empty', ['${none:-a}', '${none}'], ['a', '']],
  ['objects and lists are searched', { a: [{ b: '${host}' }] }, { a: [{ b: 'db.example' }] }],
  [
    'other values stay',
    { a: 1, b: null, c: true, d: '$host', e: '${no-name}' },
    { a: 1, b: null, c: true, d: '$host', e: '${no-name}' }
  ]
]

for (const [name, value, expanded] of cases) {
  void t.test(name, async (t) => {
    t.strictSame(
      expandVariables(
        value,
        (variable) => variables[variable],
        (_name, isWhole) => t.notOk(isWhole, 'unknown')
      ),
      expanded
    )
  })
}

void t.test('a text that is one unknown variable is left out and told', async (t) => {
  const unknown: string[] = []
  const expanded = expandVariables(
    { a: '${nope}', b: ['${none}', 1] },
    () => undefined,
    (name) => unknown.push(name)
  )
  t.strictSame(expanded, { b: [1] })
  t.strictSame(unknown, ['nope', 'none'])
})
