import t from 'tap'
import type { ModelDefinition } from '#src/index.ts'
import { makeCustomRule, makeRule } from '#src/rules/rules.ts'
import { findProblems, toDetails } from '#src/validation/validate-instance.ts'
import { buildModels } from '../build-models.ts'

const properties = { name: { type: 'string', required: true }, size: 'number', at: 'date' } as const

/** Problems of a record as `property: code`. */
async function problemsOf(definition: Partial<ModelDefinition>, data: object, isNew = true): Promise<string[]> {
  const model = buildModels([{ name: 'Note', properties, ...definition }]).typeOf('Note')
  const found = await findProblems(model, new model.modelClass({ ...data }), isNew, {})
  return found.map(({ property, code }) => `${property}: ${code}`)
}

const cases: readonly (readonly [definition: Partial<ModelDefinition>, data: object, problems: readonly string[]])[] = [
  [{}, { name: 'a' }, []],
  [{}, {}, ['name: presence']],
  [{}, { name: 'a', more: 1 }, []],
  [{ strict: true }, { name: 'a', more: 1, other: 2 }, ['more: unknown-property', 'other: unknown-property']],
  [{ strict: 'throw' }, { name: 'a', more: 1 }, ['more: unknown-property']],
  [{}, { name: 'a', id: 5 }, ['id: absence']],
  [{}, { name: 'a', id: null }, []],
  [{ forceId: false }, { name: 'a', id: 5 }, []],
  [{}, { name: 'a', size: 'x' }, ['size: number']],
  [{}, { size: 'x' }, ['name: presence']],
  [{}, { at: 'x' }, ['name: presence', 'at: date']],
  [{}, { name: 'a', size: 'x', at: 'x' }, ['size: number', 'at: date']]
]

t.test('problems of a new record are found in order', async (t) => {
  for (const [definition, data, problems] of cases) {
    t.strictSame(await problemsOf(definition, data), problems, JSON.stringify([definition, data]))
  }
})

t.test('a stored record may have an id', async (t) => {
  t.strictSame(await problemsOf({}, { name: 'a', id: 5 }, false), [])
})

t.test('an id of the client is needed where it is text', async (t) => {
  const keyed = { properties: { code: { type: 'string', id: true } }, idInjection: false } as const
  t.strictSame(await problemsOf(keyed, {}), ['code: presence'])
  t.strictSame(await problemsOf(keyed, { code: 'a' }), [])
  t.strictSame(await problemsOf({ properties: { code: { type: 'number', id: true } } }, {}), [])
})

const complainLater = async (complain: (kind: string) => void): Promise<void> => {
  await Promise.resolve()
  complain('2')
}

t.test('rules that answer at once come before asynchronous ones, as in LoopBack', async (t) => {
  const model = buildModels([{ name: 'Note', properties: { name: 'string' } }]).typeOf('Note')
  model.rules.push(
    makeRule('presence', 'name', { code: '1' }),
    makeCustomRule('name', complainLater, {}, true),
    makeRule('presence', 'name', { code: '3' })
  )
  const found = await findProblems(model, new model.modelClass(), true, {})
  t.strictSame(
    found.map(({ code }) => code),
    ['1', '3', 'custom.2']
  )
})

t.test('problems are grouped by property', async (t) => {
  const problems = [
    { property: 'a', code: 'x', message: '1' },
    { property: 'b', code: 'y', message: '2' },
    { property: 'a', code: 'z', message: '3' }
  ]
  const details = { context: 'Note', codes: { a: ['x', 'z'], b: ['y'] }, messages: { a: ['1', '3'], b: ['2'] } }
  t.strictSame(toDetails('Note', problems), details)
})

t.test('uniqueness is asked of all other records', async (t) => {
  const Note = buildModels([
    { name: 'Note', properties: { name: 'string' }, validations: { name: { rule: 'uniqueness' } } }
  ]).get('Note')
  const first = await Note.create({ name: 'a' })
  const error = { code: 'VALIDATION_FAILED', statusCode: 422, details: { codes: { name: ['uniqueness'] } } }
  await t.rejects(Note.create({ name: 'a' }), error)
  await first.patchAttributes({ name: 'a' })
  const second = await Note.create({ name: 'b' })
  await t.rejects(second.patchAttributes({ name: 'a' }), error)
  for (const name of [null, undefined, '']) await Promise.all([Note.create({ name }), Note.create({ name })])
})

t.test('without automatic validation rules are not asked, but types are', async (t) => {
  const Note = buildModels([{ name: 'Note', properties, automaticValidation: false }]).get('Note')
  t.match(await Note.create({}), { id: 1 })
  const error = { code: 'VALIDATION_FAILED', details: { codes: { size: ['number'] } } }
  await t.rejects(Note.create({ size: 'x' }), error)
  t.equal(await Note.count(), 1)
})
