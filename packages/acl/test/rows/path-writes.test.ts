import { sqlite } from '@modelwire/connector-sqlite'
import t from 'tap'
import { send } from './bank.ts'
import { makeItems, paths } from './paths.ts'

const creating = ['POST /items', 'POST /shelves/1/items']
const changing = ['PATCH /items/1', 'PUT /shelves/1/items/1', 'POST /items/update?where={"id":1}', 'PUT /items/1']

/** The table of the first step of a path, and its column that is compared with the item. */
const steps: Readonly<Record<string, readonly [table: string, column: string]>> = {
  keeper: ['user', 'id'],
  'organisation.members': ['organisation', 'id'],
  'project.members': ['project', 'id'],
  watchers: ['itemuser', 'itemid'],
  'shares.user': ['share', 'sharedid'],
  editors: ['user', 'id']
}

for (const [name, path] of Object.entries(paths)) {
  const step = steps[path.rows]
  if (step === undefined) continue
  const [table, column] = step
  // A column of a query inside of this one has a name before it.
  const names = new RegExp(`(?<!\\.)"${column}" = \\?`)
  void t.test(`a write asks of related records for those of its item: ${name}`, async (t) => {
    const statements: string[] = []
    const connector = sqlite({ file: ':memory:', onStatement: (statement: string) => statements.push(statement) })
    const app = await makeItems(t, path, connector)
    for (const line of [...creating, ...changing]) {
      statements.length = 0
      const { status } = await send(app, line, { label: 'n', shelfId: 1, ...path.holds[0] }, '1')
      // Nothing joins a new item to users.
      t.equal(status, path.join !== undefined && creating.includes(line) ? 401 : 200, line)
      const reads = statements.filter((statement) => statement.includes(` from "${table}" where `))
      for (const statement of reads) t.match(statement, names, line)
    }
  })
}
