import { readFileSync } from 'node:fs'
import t from 'tap'
import { memory } from '../../packages/connector-memory/dist/index.js'
import { hookNames } from '../../packages/core/dist/hooks/hook-table.js'
import { ModelRegistry } from '../../packages/core/dist/index.js'

const document = readFileSync(new URL('../../docs/hooks.md', import.meta.url), 'utf8')

/** One run of each operation that the tables of docs/hooks.md name first in a row. */
const runs = {
  find: (Thing) => Thing.find(),
  count: (Thing) => Thing.count(),
  create: (Thing) => Thing.create({ name: 'new' }),
  patchAttributes: (_, stored) => stored.patchAttributes({ name: 'patched' }),
  save: (_, stored) => stored.save(),
  replaceById: (Thing, stored) => Thing.replaceById(stored.id, { name: 'replaced' }),
  patchOrCreate: (Thing) => Thing.patchOrCreate({ id: 7, name: 'upserted' }),
  updateAll: (Thing) => Thing.updateAll({}, { name: 'updated' }),
  destroyAll: (Thing) => Thing.destroyAll({})
}

t.test('the tables of docs/hooks.md say which keys the context of each hook has', async (t) => {
  const rows = readTables(document)
  t.same(new Set(rows.map(({ operation }) => operation)), new Set(Object.keys(runs)))
  for (const { operation, hooks } of rows) t.same(await watch(runs[operation], operation), hooks, operation)
})

/** Rows of the tables whose columns are hooks: the first operation of each, and the keys by hook. */
function readTables(markdown) {
  const rows = []
  let columns = []
  for (const line of markdown.split('\n')) {
    const cells = line.split('|').slice(1, -1)
    const texts = cells.map((cell) => cell.trim())
    if (texts[0] === 'operation') columns = texts
    else if (columns.some((column) => hookNames.includes(column)) && texts[0]?.startsWith('`'))
      rows.push(readRow(columns, texts))
    else if (cells.length === 0) columns = []
  }
  return rows
}

function readRow([, ...columns], [first, ...cells]) {
  const hooks = columns.map((column, at) => [column, namesIn(cells[at])]).filter(([, names]) => names.length > 0)
  return { operation: namesIn(first)[0], hooks: Object.fromEntries(hooks) }
}

function namesIn(text) {
  return [...text.matchAll(/`(\w+)`/g)].map(([, name]) => name)
}

/** Runs an operation and returns the keys that each hook's context had besides those that every context has. */
async function watch(run, operation) {
  const registry = new ModelRegistry()
  // Where clients may choose ids, an upsert has contexts of its own.
  const id = operation === 'patchOrCreate' ? { id: { type: 'number', id: true } } : {}
  const Thing = registry.define({ name: 'Thing', properties: { ...id, name: 'string' } })
  registry.addDataSource('db', memory())
  registry.attach('Thing', 'db')
  const stored = await Thing.create({ name: 'old', ...(operation === 'patchOrCreate' ? { id: 1 } : {}) })
  const seen = {}
  for (const hook of hookNames) Thing.observe(hook, (context) => void (seen[hook] ??= keysOf(context)))
  await run(Thing, stored)
  return seen
}

const inEveryContext = new Set(['Model', 'hookState', 'options'])
const order = ['query', 'data', 'where', 'instance', 'currentInstance', 'isNewInstance', 'info']

function keysOf(context) {
  const keys = Object.keys(context).filter((key) => context[key] !== undefined && !inEveryContext.has(key))
  return keys.toSorted((a, b) => order.indexOf(a) - order.indexOf(b))
}
