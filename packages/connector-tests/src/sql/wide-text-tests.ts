import { ModelRegistry } from '@modelwire/core'
import type { Collection, Condition, Connector, TestOf } from '@modelwire/core/connector'
import { installRelations } from '@modelwire/relations'
import type { Test } from 'tap'

/** Tables `wide (id, label)` and `thing (id, wideid)`, whose columns of texts take `other` for the same as `one`. */
export interface WideTexts {
  readonly connector: Connector
  readonly one: string
  readonly other: string
}

async function open(t: Test, connector: Connector): Promise<ModelRegistry> {
  const registry = new ModelRegistry()
  registry.addDataSource('db', connector)
  const id = { type: 'string', id: true, generated: false } as const
  const things = { type: 'hasMany', model: 'thing', foreignKey: 'wideid' }
  const wide = { type: 'belongsTo', model: 'wide', foreignKey: 'wideid' }
  registry.define({ name: 'wide', strict: true, properties: { id, label: 'string' }, relations: { things } })
  const number = { type: 'number', id: true, generated: false }
  registry.define({
    name: 'thing',
    strict: true,
    properties: { id: number, wideid: 'string' },
    relations: { wide }
  })
  for (const name of ['wide', 'thing']) registry.attach(name, 'db')
  installRelations(registry).complete()
  t.teardown(() => registry.disconnect())
  await registry.connect()
  return registry
}

function collectionOf(registry: ModelRegistry, name: string): Collection {
  const { collection } = registry.typeOf(name)
  if (collection === undefined) throw new Error('it is attached')
  return collection
}

type Tested = Pick<TestOf<'equals'>, 'kind' | 'path' | 'type'>

/** Conditions that only the text itself satisfies. */
const conditionsOf = (path: string, text: string): Readonly<Record<string, Condition>> => {
  const at: Tested = { kind: 'test', path: [path], type: { kind: 'string' } }
  const source = `^${text}$`
  const pattern = {
    source,
    ignoreCase: false,
    readsAll: false,
    test: (value: string) => value === text,
    wildcards: { tokens: [{ kind: 'text', text }], anchor: 'whole' }
  } as const
  return {
    equals: { ...at, test: 'equals', value: text },
    in: { ...at, test: 'in', values: [text, 'no such text'] },
    range: {
      ...at,
      test: 'range',
      bounds: [
        { is: '>=', value: text },
        { is: '<=', value: text }
      ]
    },
    pattern: { ...at, test: 'pattern', pattern },
    'not in': { kind: 'nor', conditions: [{ ...at, test: 'in', negated: true, values: [text] }] }
  }
}

/** Listens to the warnings of the process about collations; gives whether there was one with this text. */
export function heardWarning(t: Test): (text: string) => Promise<boolean> {
  const heard: string[] = []
  const listen = (warning: Error): void => {
    if ('code' in warning && warning.code === 'MODELWIRE_WIDE_COLLATION') heard.push(warning.message)
  }
  process.on('warning', listen)
  t.teardown(() => process.off('warning', listen))
  return async (text) => {
    await new Promise(setImmediate) // warnings come after the current work
    return heard.some((message) => message.includes(text))
  }
}

async function checkFacts(t: Test, registry: ModelRegistry, connector: Connector): Promise<void> {
  const models = ['wide', 'thing'].map((name) => registry.typeOf(name))
  const facts = (await connector.examine?.(models)) ?? []
  const named = facts.map(({ effect, model, property }) => `${effect} ${model}.${property}`)
  const expected = ['differs wide.id', 'differs wide.label', 'differs thing.wideid']
  t.strictSame(named, expected, 'an examination names the properties')
}

/** Callers find keys by their characters, and change no other record. */
async function testCallers(
  t: Test,
  registry: ModelRegistry,
  { one, other }: Pick<WideTexts, 'one' | 'other'>
): Promise<void> {
  const [Wide, Thing] = [registry.get('wide'), registry.get('thing')]
  t.equal(await Thing.count({ wideid: other }), 1, 'a caller finds keys by their characters')
  t.equal(await Thing.count({ wideid: { inq: [other] } }), 1)
  t.equal(await Wide.count({ label: other }), 1, 'and other strings as the column does')
  t.equal((await Wide.updateAll({ id: other }, { label: 'x' })).count, 0)
  await t.rejects(async () => Wide.upsertWithWhere({ id: other }, { id: other, label: 'x' }), { code: 'DUPLICATE_KEY' })
  t.match(await Wide.findById(one), { label: one })
}

/** Tests that what the server compares is compared by its characters, whatever the columns take for the same. */
export async function wideTextTests(t: Test, { connector, one, other }: WideTexts): Promise<void> {
  const isTold = heardWarning(t)
  const registry = await open(t, connector)
  t.ok(await isTold('the collations of wide, thing treat'), 'the start names the tables')
  await checkFacts(t, registry, connector)
  const [wide, thing] = [collectionOf(registry, 'wide'), collectionOf(registry, 'thing')]
  await wide.insert([{ id: one, label: one }])
  await thing.insert([
    { id: 1, wideid: one },
    { id: 2, wideid: other }
  ])
  const idsOf = async (where: Condition): Promise<unknown[]> =>
    (await thing.find({ where, order: [], skip: 0 })).map(({ id }) => id)
  for (const [text, expected] of [[one, 1] as const, [other, 2] as const])
    for (const [name, where] of Object.entries(conditionsOf('wideid', text)))
      t.strictSame(await idsOf(where), [expected], `${name} ${JSON.stringify(text)}`)
  t.equal(await wide.findById(other), undefined)
  t.match(await wide.findById(one), { label: one })
  t.equal(await wide.replace(other, { id: other, label: 'x' }), false)
  const { equals } = conditionsOf('id', other)
  t.equal(await wide.update(equals, { label: 'x' }), 0)
  t.equal(await wide.delete(equals), 0)
  await t.rejects(async () => wide.upsert({ id: other, label: 'x' }), { code: 'DUPLICATE_KEY' })
  t.match(await wide.findById(one), { label: one })
  const related = await wide.findRelated?.({ keys: [other, one], property: 'label', filter: { order: [], skip: 0 } })
  t.match(related, [[], [{ id: one }]])
  t.strictSame(related?.[0], [])
  const [Wide, Thing] = [registry.get('wide'), registry.get('thing')]
  t.match(await Thing.find({ where: { 'wide.label': one } }), [{ id: 1 }])
  t.equal(await Thing.count({ 'wide.id': one }), 1)
  const [included] = await Wide.find({ include: 'things' })
  const list = included?.toJSON()['things']
  t.match(list, [{ id: 1 }])
  t.equal(Array.isArray(list) && list.length, 1)
  await testCallers(t, registry, { one, other })
  t.equal((await Wide.destroyById(other)).count, 0)
  t.equal(await Wide.exists(other), false)
  t.equal(await wide.count(undefined), 1)
}
