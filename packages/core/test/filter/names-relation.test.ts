import t from 'tap'
import { namesRelation, relationOf, whereNamesRelation } from '#src/filter/related-conditions.ts'
import { ModelRegistry } from '#src/registry.ts'

function makeModel() {
  const registry = new ModelRegistry()
  registry.define({ name: 'Person', properties: { name: 'string' } })
  const author = { type: 'belongsTo', model: 'Person' }
  const properties = { title: 'string', owner: 'object' }
  registry.define({ name: 'Book', properties, relations: { author, owner: { ...author, foreignKey: 'ownedBy' } } })
  registry.relations.complete()
  return registry.typeOf('Book')
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
