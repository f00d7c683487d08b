import { conditionsOn, filterOf, type RunCase } from '@modelwire/connector-tests'

/** A table has the columns that are declared: undeclared properties are not stored, as LoopBack's SQL connectors leave them out. */
const leavesOut: RunCase = async (t, { collections: { Note } }) => {
  await Note.insert([{ text: 'x', 'a"b': 1 }])
  t.strictSame(await Note.findById(1), { id: 1 })
  t.equal(await Note.update(undefined, { text: 'y' }), 1)
  t.equal((await Note.upsert({ id: 1, more: 2 })).created, false)
  t.strictSame(await Note.find(filterOf({})), [{ id: 1 }])
}

/** What all connectors for tables answer in their own way: for `differences` of `connectorTests`. */
export const sqlDifferences: Readonly<Record<string, RunCase>> = {
  // 1. A column has null for both.
  'what is absent is told from null': async (t, { collections }) => {
    await collections.Item.insert([{ name: null }])
    const [row] = await collections.Item.find(filterOf({}))
    t.equal(row?.['name'], null)
    t.equal(row?.['price'], null)
  },
  // 2.–6. There is no column for what is not declared.
  'undeclared properties are stored after the declared ones': leavesOut,
  'undeclared properties are compared loosely': leavesOut,
  'undeclared properties are patched one by one, and replaced as a whole': leavesOut,
  'undeclared properties are found by paths and put in order': leavesOut,
  'undeclared names and values may hold any sign': leavesOut,
  // 7. The same, of odd texts; those of declared properties are stored or refused.
  'any text is read back as it was stored, or it is refused': async (t, { models, collections: { Item } }) => {
    for (const name of ['\uFEFF', '\uFFFD', '😀', '\\ud800', '\\', '"', "'"]) {
      await Item.delete(undefined)
      await Item.insert([{ name, tags: [name], meta: { [name]: name } }])
      const [row] = await Item.find(filterOf({ where: conditionsOn(models.Item).is('name', 'eq', name) }))
      t.match(row, { name, tags: [name], meta: { [name]: name } })
    }
  }
}
