import { serverCall } from '#src/access/call.ts'
import t from 'tap'
import { type ModelDefinition, ApiError } from '#src/index.ts'
import { repository } from '#src/plugin-api.ts'
import { makeRule } from '#src/rules/rules.ts'
import { buildModels } from '../build-models.ts'

const book: ModelDefinition = {
  name: 'Book',
  properties: {
    title: { type: 'string', required: true },
    pages: { type: 'number', default: 1 },
    soldAt: 'date',
    tags: ['string']
  }
}
const { Records } = repository
const typeOf = (more: Partial<ModelDefinition> = {}) => buildModels([{ ...book, ...more }]).typeOf('Book')

t.test('a record that nobody observes is stored and answered as a row, converted and completed', async (t) => {
  const found = await repository.createForResponse(
    typeOf(),
    { title: 7, soldAt: '2020-01-01', more: { a: 1 } },
    serverCall()
  )
  t.ok(found instanceof Records)
  t.match(found, {
    single: true,
    rows: [{ title: '7', pages: 1, soldAt: new Date('2020-01-01'), tags: undefined, more: { a: 1 }, id: 1 }]
  })
})

t.test('what is stored shares nothing with what was sent', async (t) => {
  const model = typeOf()
  const data = { title: 'Dune', tags: ['a'], more: { a: 1 } }
  await repository.createForResponse(model, data, serverCall())
  await repository.patchForResponse(model, 1, { other: data.more }, serverCall())
  data.tags.push('b')
  data.more.a = 2
  t.match(await repository.findById(model, 1), { tags: ['a'], more: { a: 1 }, other: { a: 1 } })
})

const wrong: readonly (readonly [string, Partial<ModelDefinition>, object])[] = [
  ['a value of the wrong type', {}, { title: 'Dune', soldAt: 'never' }],
  ['a missing value', {}, { pages: 2 }],
  ['an id that clients may not choose', {}, { title: 'Dune', id: 3 }],
  ['an unknown property of a strict model', { strict: 'throw' }, { title: 'Dune', more: 1 }],
  [
    'an absent text id',
    { idInjection: false, properties: { ...book.properties, id: { type: 'string', id: true } } },
    { title: 'x' }
  ]
]
for (const [what, more, data] of wrong)
  t.test(`${what} is refused as where an instance is prepared`, async (t) => {
    const model = typeOf(more)
    const told = async (work: () => unknown): Promise<unknown> => {
      const error: unknown = await Promise.resolve(work()).catch((thrown: unknown) => thrown)
      return error instanceof ApiError ? { status: error.statusCode, details: error.details } : error
    }
    const expected = await told(() => repository.create(model, data))
    t.match(expected, { status: 422 })
    t.strictSame(await told(() => repository.createForResponse(model, data, serverCall())), expected)
    t.equal(await repository.count(model), 0)
  })

t.test('whoever has a say gets an instance: observers, scopes, rules of the application', async (t) => {
  const observed = typeOf()
  observed.hooks.observe('before save', ({ instance }) => Object.assign(instance ?? {}, { title: 'seen' }))
  t.match(await repository.createForResponse(observed, { title: 'Dune' }, serverCall()), { title: 'seen' })
  const scoped = typeOf({ scope: { where: { pages: 9 } } })
  t.match(await repository.createForResponse(scoped, { title: 'Dune' }, serverCall()), { pages: 9 })
  const ruled = typeOf()
  ruled.rules.push(makeRule('presence', 'tags', { if: () => true }))
  await t.rejects(async () => repository.createForResponse(ruled, { title: 'Dune' }, serverCall()), {
    code: 'VALIDATION_FAILED'
  })
  ruled.rules.push(makeRule('uniqueness', 'title'))
  t.match(await repository.createForResponse(ruled, { title: 'Dune', tags: ['a'] }, serverCall()), { title: 'Dune' })
  await t.rejects(async () => repository.createForResponse(ruled, { title: 'Dune', tags: ['a'] }, serverCall()), {
    code: 'VALIDATION_FAILED'
  })
})

t.test('a patch that nobody observes is answered as the changed row', async (t) => {
  const model = typeOf()
  await repository.create(model, { title: 'Dune', tags: ['a'] })
  const found = await repository.patchForResponse(
    model,
    '1',
    { pages: '5', title: undefined, id: '1', more: true },
    serverCall()
  )
  t.ok(found instanceof Records)
  t.match(found, { single: true, rows: [{ id: 1, title: 'Dune', pages: 5, tags: ['a'], more: true }] })
  t.match(await repository.findById(model, 1), { title: 'Dune', pages: 5, more: true })
  t.equal(await repository.patchForResponse(model, 9, { pages: 5 }, serverCall()), undefined)
})

t.test('a patch that breaks a rule or names another id changes nothing', async (t) => {
  const model = typeOf()
  await repository.create(model, { title: 'Dune' })
  for (const [data, code] of [
    [{ title: '' }, 'VALIDATION_FAILED'],
    [{ pages: 2, soldAt: 'never' }, 'VALIDATION_FAILED'],
    [{ pages: 2, id: 2 }, 'ID_MISMATCH'],
    [{ pages: 2, 'a.b': 1 }, 'INVALID_VALUE']
  ] as const)
    await t.rejects(async () => repository.patchForResponse(model, 1, data, serverCall()), { code })
  t.match(await repository.findById(model, 1), { title: 'Dune', pages: 1 })
})
