import { sqlite } from '@modelwire/connector-sqlite'
import { conditionsOn } from '@modelwire/connector-tests'
import { ModelRegistry } from '@modelwire/core'
import { type Condition, readLikeTokens, type Row, wildcardPattern } from '@modelwire/core/connector'
import { serverCall, compileFilter } from '@modelwire/core/plugin'
import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import t, { type Test } from 'tap'

const item = { name: 'Item', properties: { id: { type: 'number', id: true }, name: 'string', meta: 'object' } } as const

async function openItems(t: Test) {
  const registry = new ModelRegistry()
  const connector = sqlite({ like: 'whole' })
  registry.addDataSource('db', connector)
  registry.define(item)
  registry.attach('Item', 'db')
  t.teardown(() => registry.disconnect())
  await registry.connect()
  const model = registry.typeOf('Item')
  await connector.migrate?.([model], { empty: true })
  const { collection } = model
  if (collection === undefined) throw new Error('the model is not attached')
  /** Places of the rows that the database finds. */
  const find = async (rows: readonly Row[], where: Condition | undefined, order = 'id'): Promise<string> => {
    await collection.delete(undefined)
    await collection.insert(rows.map((row, id) => ({ id, ...row })))
    const found = await collection.find({ ...compileFilter(model, { order }, serverCall()), where })
    return found.map(({ id }) => id).join()
  }
  return { find, on: conditionsOn(model) }
}

const placesOf = <Item>(items: readonly Item[], isFound: (item: Item) => boolean): string =>
  items.flatMap((each, at) => (isFound(each) ? [at] : [])).join()

const wildcards: ReadonlyMap<string, string> = new Map([
  ['%', '.*'],
  ['_', '.']
])
const literal = (sign: string): string => `\\u{${sign.codePointAt(0)?.toString(16)}}`

/** What a pattern of SQL finds: `%` any signs, `_` one, a backslash takes the meaning of these and of itself away. */
function matches(pattern: string, text: string, ignoreCase: boolean): boolean {
  const parts = pattern.match(/\\[%_\\]|[^]/gu) ?? []
  const source = parts.map((part) => wildcards.get(part) ?? literal(part.replace(/^\\(?=[^])/, '')))
  return new RegExp(`^${source.join('')}$`, ignoreCase ? 'isu' : 'su').test(text)
}

void t.test('a pattern finds the texts that it stands for, whatever signs both have', async (t) => {
  const { find } = await openItems(t)
  const text = fc.string({ unit: fc.constantFrom(...Array.from('abAB%_\\*?[]^-.\'"$ 😀')), maxLength: 4 })
  const someLike = text.filter((each) => each !== '')
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { minLength: 1, maxLength: 4 }),
      someLike,
      fc.boolean(),
      async (names, like, ignoreCase) => {
        // In memory some texts are no pattern.
        const sought = { tokens: readLikeTokens(like), anchor: 'connector' } as const
        const pattern = wildcardPattern(sought, { ignoreCase, readsAll: true })
        const where: Condition = { kind: 'test', path: ['name'], test: 'pattern', pattern }
        const rows = names.map((name): Row => ({ name }))
        return (await find(rows, where)) === placesOf(names, (name) => matches(like, name, ignoreCase))
      }
    ),
    { numRuns: runs(300) }
  )
})

void t.test('a name below a JSON property is that name, whatever signs it has', async (t) => {
  const { find, on } = await openItems(t)
  const key = fc.string({ unit: fc.constantFrom(...Array.from('ab"\\\'[]*$#- \n\tä😀')), minLength: 1, maxLength: 3 })
  const value = fc.constantFrom('x', 'y"', 'z\\')
  const rows = fc.array(fc.tuple(fc.boolean(), value), { minLength: 1, maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(key, key, rows, value, async (one, other, list, sought) => {
      const keys = list.map(([isOne]) => (isOne ? one : other))
      const made = list.map(([, each], at): Row => ({ meta: { [keys[at] ?? '']: each } }))
      const isFound = ([isOne, each]: readonly [boolean, string]): boolean =>
        (isOne || one === other) && each === sought
      return (await find(made, on.is(`meta.${one}`, 'eq', sought))) === placesOf(list, isFound)
    }),
    { numRuns: runs(200) }
  )
})

void t.test('a name with a quote is ordered by, and leads on', async (t) => {
  const { find, on } = await openItems(t)
  const rows = ['b', 'c', 'a'].map((text) => ({ meta: { 'a"b': text, '"': { '"': [text, true, null, 1] } } }))
  t.equal(await find(rows, undefined, 'meta.a"b'), '2,0,1')
  t.equal(await find(rows, on.is('meta.".".0', 'eq', 'c')), '1')
  for (const sought of [true, 1, null])
    t.equal(await find(rows, on.is('meta."."', 'eq', sought)), '0,1,2', String(sought))
})
