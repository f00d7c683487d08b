import { memory } from '@modelwire/connector-memory'
import t from 'tap'
import type { ModelType } from '#src/contract/model-type.ts'
import type { ModelDefinition } from '#src/index.ts'
import { repository } from '#src/plugin-api.ts'
import { buildRegistry } from '#src/build-registry.ts'
import { Records } from '#src/repository/records/records.ts'
import { clientCall } from '../client-call.ts'

function build(image: Partial<ModelDefinition> = {}, compat = true): ModelType {
  const relations: ModelDefinition['relations'] = { book: { type: 'belongsTo', model: 'Book' } }
  const models: ModelDefinition[] = [
    { name: 'Book', properties: { title: 'string' } },
    { name: 'Image', properties: { name: 'string' }, relations, ...image }
  ]
  const registry = buildRegistry({ dataSources: { db: memory() }, models, compat }, () => {})
  registry.relations.complete()
  return registry.typeOf('Image')
}

// What LoopBack 3.28 stores of the same data.
const cases: readonly (readonly [data: object, key: number | undefined])[] = [
  [{ book: { id: 1, title: 'x' } }, 1],
  [{ book: { id: 1 }, bookId: 7 }, 7],
  [{ bookId: 7, book: { id: 1 } }, 1],
  [{ book: null, bookId: 2 }, 2],
  [{ book: 5, bookId: 2 }, 2],
  [{ book: {}, bookId: 2 }, 2],
  [{ book: [1] }, undefined]
]

t.test('as in LoopBack, a record under the name of a relation gives a new record its key', async (t) => {
  const model = build()
  for (const [data, key] of cases) {
    const made = await repository.create(model, data)
    t.equal(made['bookId'] ?? undefined, key, JSON.stringify(data))
    const answered = await repository.createForResponse(model, data, clientCall())
    const shown: unknown = JSON.parse(JSON.stringify(answered instanceof Records ? answered.rows[0] : answered))
    t.equal(Reflect.get(Object(shown), 'bookId') ?? undefined, key)
  }
})

t.test('replacing and upserts by a condition read it, too; patches do not', async (t) => {
  const model = build()
  const { id } = (await repository.create(model, { name: 'a' })) as { id?: unknown } // the id is declared
  t.match(await repository.replaceById(model, id, { book: { id: 2 } }), { bookId: 2 })
  t.match(await repository.upsertWithWhere(model, { id }, { book: { id: 3 } }), { bookId: 3 })
  t.match(await repository.patchOrCreate(model, { id, book: { id: 4 } }), { bookId: 3 })
})

t.test('a client sets no key in this way that is not his to set', async (t) => {
  const model = build({ properties: { bookId: { type: 'number', readOnly: true } } })
  await t.rejects(repository.create(model, { book: { id: 1 } }, clientCall()), { code: 'VALIDATION_FAILED' })
})

t.test('a property of the name of the relation keeps its value, and elsewhere keys are named', async (t) => {
  const own = await repository.create(build({ properties: { book: 'object' } }), { book: { id: 1 } })
  t.match(own, { book: { id: 1 } })
  t.equal(own['bookId'] ?? undefined, undefined)
  t.equal((await repository.create(build({}, false), { book: { id: 1 } }))['bookId'] ?? undefined, undefined)
})
