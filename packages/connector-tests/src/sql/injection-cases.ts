import type { Collection, Condition, ModelType } from '@modelwire/core/connector'
import { conditionsOn, filterOf, type Conditions } from '../conditions.ts'
import { type SqlCase, openModels } from './sql-case.ts'

/** Texts that end a quotation, a statement or a comment somewhere. */
const hostile: readonly string[] = [
  `'; drop table sqlbook; --`,
  `"; drop table "SqlBook"; --`,
  '`; drop table `SqlBook`; -- ',
  `\\'; drop table sqlbook; #`,
  `' or '1'='1`,
  `1) or (1=1`,
  `$1 ? :x @x {} [] %s`,
  `x*/ union select null -- /*`,
  `$.a"]'[*]`,
  `a' || pg_sleep(10) || '`
]

const oneValue = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte'] as const
const patterns = ['like', 'nlike', 'ilike', 'nilike', 'startsWith'] as const

/** Conditions that have `text` as the value of every operator on a path. */
function conditionsWith({ is, among, wire, regexp, between }: Conditions, path: string, text: string): Condition[] {
  return [
    ...oneValue.map((operator) => is(path, operator, text)),
    ...patterns.map((operator) => wire(path, operator, text)),
    among(path, 'inq', [text, 'x']),
    among(path, 'nin', [text]),
    between(path, text, text),
    regexp(path, text.replaceAll(/[^\w ';"`-]/g, '.'))
  ]
}

/** Hostile texts reach the database as values alone. */
export const injectionCases: readonly SqlCase[] = [
  {
    name: 'no value becomes a part of a statement',
    run: async (t, options) => {
      const { registry, statements } = await openModels(t, options)
      const { model, collection } = await fill(registry.typeOf('SqlBook'))
      const item = conditionsOn(model)
      statements.length = 0
      for (const text of hostile) {
        const paths = ['title', 'tags', 'meta.a', 'meta', 'tags.0']
        for (const where of paths.flatMap((path) => conditionsWith(item, path, text))) {
          const related = { kind: 'related', keyFrom: 'id', model, keyTo: 'id', where } as const
          t.equal(await collection.count(related), await collection.count(where), text)
        }
        t.equal(await collection.count(item.is('title', 'eq', text)), 1, text)
        t.equal(await collection.count(item.is('tags', 'eq', text)), 1, text)
      }
      t.notOk(statements.some((statement) => /drop table|1=1|pg_sleep/.test(statement)))
      t.equal(await collection.count(undefined), hostile.length)
    }
  },
  {
    name: 'no name in a filter becomes a part of a statement',
    run: async (t, options) => {
      const { registry, statements } = await openModels(t, options)
      const { model, collection } = await fill(registry.typeOf('SqlBook'))
      const { is, near } = conditionsOn(model)
      for (const name of hostile) {
        statements.length = 0
        for (const path of [
          [name],
          ['meta', name],
          ['meta', 'a', name],
          ['title', name],
          ['place', name],
          ['tags', name, '0']
        ]) {
          const at = { kind: 'test', path } as const
          await settle(collection, { ...at, test: 'equals', value: name })
          await settle(collection, { ...at, test: 'equals', negated: true, value: name })
          const where = { ...at, test: 'equals', value: name } as const
          await settle(collection, { kind: 'related', keyFrom: 'id', model, keyTo: 'id', where })
          await collection.find(
            filterOf({ order: [{ path: [path[0] ?? ''], descending: true }], fields: new Set([name]) })
          )
          await settleOrder(collection, path)
          const related = { kind: 'related', keyFrom: 'id', model, keyTo: 'id', where: undefined } as const
          await settleOrder(collection, path, related)
        }
        await settle(collection, { kind: 'related', keyFrom: name, model, keyTo: 'id', where: undefined })
        await settle(collection, { kind: 'related', keyFrom: 'id', model, keyTo: name, where: undefined })
        await collection.count(near(name, { lat: 1, lng: 2, maxDistance: 3 }))
        t.notOk(
          statements.some((statement) => statement.includes(name)),
          name
        )
      }
      t.equal(await collection.count(is('id', 'gt', 0)), hostile.length)
    }
  },
  {
    name: 'no written value becomes a part of a statement',
    run: async (t, options) => {
      const { registry } = await openModels(t, options)
      const { model, collection } = await fill(registry.typeOf('SqlBook'))
      const { is } = conditionsOn(model)
      for (const [at, text] of hostile.entries()) {
        t.equal(await collection.update(is('title', 'eq', text), { isbn: text, meta: { [text]: text } }), 1, text)
        t.match(await collection.upsert({ id: at + 1, tags: [text] }), { row: { isbn: text, tags: [text] } }, text)
        t.equal(await collection.replace(at + 1, { id: at + 1, title: text }), true, text)
        t.equal(await collection.delete(is('title', 'eq', text)), 1, text)
      }
      t.equal(await collection.count(undefined), 0)
    }
  }
]

async function fill(model: ModelType): Promise<{ model: ModelType; collection: Collection }> {
  const { collection } = model
  if (collection === undefined) throw new Error('the model is not attached')
  await collection.insert(hostile.map((title) => ({ title, tags: [title, 'x'], meta: { a: title, [title]: 1 } })))
  return { model, collection }
}

/** A database may refuse a name that no path can have, but never with an error of its own. */
async function settle(collection: Collection, where: Condition): Promise<void> {
  await refusedWithCode(async () => collection.count(where))
}

async function settleOrder(
  collection: Collection,
  path: readonly string[],
  related?: Extract<Condition, { kind: 'related' }>
): Promise<void> {
  await refusedWithCode(async () => collection.find(filterOf({ order: [{ path, descending: false, related }] })))
}

async function refusedWithCode(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Error && 'statusCode' in error && error.statusCode === 400)) throw error
  }
}
