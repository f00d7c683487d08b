import t from 'tap'
import { namesRelation, relationOf, whereNamesRelation } from '#src/filter/names-relation.ts'
import { ModelRegistry } from '#src/registry.ts'

function makeModel() {
  const registry = new ModelRegistry()
  registry.define({ name: 'Book', properties: { title: 'string', owner: 'object' } })
  const model = registry.typeOf('Book')
  for (const name of ['author', 'owner']) model.relationNames.add(name)
  return model
}

const cases: readonly [unknown, boolean][] = [
  [{ where: { 'author.name': 'x' } }, true],
  [{ where: { author: { name: 'x' } } }, true],
  [{ where: { or: [{ title: 'x' }, { and: [{ 'author.name': 'x' }] }] } }, true],
  [{ order: 'title, author.name DESC' }, true],
  [{ order: ['author.name'] }, true],
  [{ where: { title: 'author.name' } }, false],
  [{ where: { 'owner.name': 'x' } }, false],
  [{ order: 'title' }, false],
  [{ include: 'author' }, false],
  [{ where: 'author' }, false],
  [undefined, false]
]

void t.test('tells filters that reach into related records; properties come first', async (t) => {
  const model = makeModel()
  for (const [filter, expected] of cases) {
    t.equal(namesRelation(model, filter), expected, JSON.stringify(filter))
    t.equal(namesRelation(model, Object.freeze(filter)), expected, 'frozen')
    t.equal(namesRelation(model, filter), expected, 'again')
    const { where, order } = (filter ?? {}) as { where?: unknown; order?: unknown }
    if (order === undefined) t.equal(whereNamesRelation(model, where), expected, 'its where')
  }
  t.strictSame([relationOf(model, 'author.name'), relationOf(model, 'owner')], ['author', undefined])
})
