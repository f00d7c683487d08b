import t from 'tap'
import { examplePages, hasExample, readDoor } from '../docs/find-examples.mjs'
import { listPrograms } from '../docs/list-programs.mjs'

const names = readDoor('packages/core/src/index.ts')
const programs = listPrograms(examplePages(names))

t.test('every name of the main door of core has an example', async (t) => {
  t.ok(names.length > 50, 'names are found')
  t.same(
    names.filter((each) => !hasExample(each)).map(({ name, path }) => `${name} (${path})`),
    [],
    'write an @example with a block of TypeScript into the docstring'
  )
})

t.test('an example imports the name, and prints a result that the test of code blocks compares', async (t) => {
  for (const { name, path, text } of names.filter(hasExample)) {
    const [program] = listPrograms(new Map([[path, text]]))
    t.match(program?.files[program.main], new RegExp(`\\b${name}\\b`), `${name} is in its example`)
    t.not(program?.prints.length ?? 0, 0, `the example of ${name} prints something, with what it is in a comment`)
  }
  t.equal(programs.length, names.filter(hasExample).length, 'each is a program')
})

t.test('a program of an example knows its line in the source', async (t) => {
  const page = '\n\nMakes it.\n@example\n```ts\nimport { a } from "a"\nconsole.log(a) // 1\n```\n'
  t.equal(listPrograms(new Map([['a.ts', page]]))[0].place, 'a.ts:5')
})
