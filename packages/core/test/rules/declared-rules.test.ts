import { Kind, type NumberOptions, type StringOptions, type TSchema, Type, TypeRegistry } from '@sinclair/typebox'
import t from 'tap'
import { defineModel, type ModelDefinition } from '#src/index.ts'
import { buildModels } from '../build-models.ts'

/** The codes of each property that `create` refuses with; undefined when it stores the record. */
async function refusal(definition: ModelDefinition, data: object, base: ModelDefinition[] = []): Promise<unknown> {
  try {
    await buildModels([...base, definition])
      .get(definition.name)
      .create({ ...data })
    return undefined
  } catch (error) {
    return (error as { details: { codes: object } }).details.codes
  }
}

const written = (validations: unknown): ModelDefinition => ({
  name: 'Note',
  properties: { name: 'string', size: 'number' },
  validations
})

t.test('validations are a list or rules by property', async (t) => {
  const rule = { rule: 'length', min: 2, allowBlank: true }
  for (const validations of [[{ property: 'name', ...rule }], { name: rule }, { name: [rule] }]) {
    t.strictSame(await refusal(written(validations), { name: 'a' }), { name: ['length.min'] })
    t.equal(await refusal(written(validations), { name: 'ab' }), undefined)
  }
  const format = written({ name: { rule: 'format', with: '^a', message: 'no' } })
  t.strictSame(await refusal(format, { name: 'b' }), { name: ['format'] })
  for (const nothing of [undefined, null, [], {}]) t.equal(await refusal(written(nothing), {}), undefined)
})

const malformed: readonly (readonly [validations: unknown, key: string])[] = [
  ['x', 'validations'],
  [5, 'validations'],
  [['x'], 'validations.'],
  [[{ property: 'name' }], 'validations.name'],
  [{ name: { rule: 'beauty' } }, 'validations.name'],
  [{ name: { rule: 'custom' } }, 'validations.name'],
  [{ name: { rule: 'inclusion' } }, 'validations.name'],
  [{ name: { rule: 'format' } }, 'validations.name'],
  [{ name: { rule: 'format', with: '(' } }, 'validations.name']
]

t.test('a malformed validation is refused with its key', async (t) => {
  for (const [validations, key] of malformed) {
    const error = { code: 'MODEL_DEFINITION_INVALID', where: { model: 'Note', key } }
    t.throws(() => buildModels([written(validations)]), error, JSON.stringify(validations))
  }
})

t.test('a malformed pattern of a schema is refused with its key', async (t) => {
  const note = { name: 'Note', properties: { name: { type: 'string', schema: { pattern: '(' } } } }
  t.throws(() => buildModels([note]), { code: 'MODEL_DEFINITION_INVALID', where: { key: 'properties.name' } })
})

t.test('rules are inherited once', async (t) => {
  const models = buildModels([written({ name: { rule: 'length', min: 2 } }), { name: 'Memo', base: 'Note' }])
  const error = { code: 'VALIDATION_FAILED', details: { codes: { name: ['length.min'] } } }
  await t.rejects(models.get('Memo').create({ name: 'a' }), error)
  t.equal(models.typeOf('Memo').rules.length, 1)
})

type Cases = readonly (readonly [schema: TSchema, value: unknown, code: string | undefined])[]
const text = (options: StringOptions = {}) => Type.String(options)
const number = (options: NumberOptions = {}) => Type.Number(options)

const keywords: Cases = [
  [text(), '', undefined],
  [text(), undefined, 'presence'],
  [text(), null, 'presence'],
  [text({ minLength: 1 }), '', 'length.min'],
  [text({ maxLength: 2 }), 'abc', 'length.max'],
  [text({ pattern: '^a' }), 'b', 'format'],
  [text({ pattern: '^a' }), '', 'format'],
  [Type.RegExp(/^a/), 'b', 'format'],
  [text({ format: 'email' }), 'ann', 'format'],
  [text({ format: 'email' }), 'ann@example.com', undefined],
  [text({ format: 'uuid' }), 'x', 'format'],
  [text({ format: 'date-time' }), '2020-01-01T00:00:00Z', undefined],
  [text({ format: 'date-time' }), '2020-01-01', 'format'],
  [text({ format: 'date' }), '2020-01-01', undefined],
  [text({ format: 'date' }), '2020-02-31', 'date'],
  [text({ format: 'something' }), 'x', undefined],
  [number({ minimum: 1 }), 0, 'range.low'],
  [number({ maximum: 1 }), 2, 'range.high'],
  [number({ exclusiveMinimum: 1 }), 1, 'range.low'],
  [number({ multipleOf: 2 }), 3, 'range.step'],
  [Type.Integer(), 1.5, 'integer'],
  [Type.Literal('a'), 'b', 'inclusion'],
  [Type.Union([Type.Literal('a'), Type.Literal('b')]), 'c', 'inclusion'],
  [Type.Union([Type.Literal('a'), Type.Literal('b')]), 'b', undefined],
  [Type.Union([text({ minLength: 2 }), Type.Null()]), null, undefined],
  [Type.Union([text({ minLength: 2 }), Type.Null()]), 'a', 'length.min'],
  [Type.Optional(text({ minLength: 2 })), undefined, undefined]
]

const shapes: Cases = [
  [Type.Array(text()), [], undefined],
  [Type.Array(text()), ['a', {}], 'string'],
  [Type.Array(text()), [null], 'presence'],
  [Type.Array(Type.Integer()), ['1', 1.5], 'integer'],
  [Type.Array(text(), { minItems: 1 }), [], 'length.min'],
  [Type.Array(text({ minLength: 1 })), ['a', ''], 'shape'],
  [Type.Array(Type.Integer({ minimum: 1 })), ['1', 2], undefined],
  [Type.Array(Type.Date()), ['2020-01-01'], undefined],
  [Type.Array(text({ format: 'email' })), ['ann@example.com'], undefined],
  [Type.Array(text({ format: 'email' })), ['ann'], 'shape'],
  [Type.Array(text({ format: 'something' })), ['ann'], undefined],
  [Type.Object({ city: text() }), {}, 'shape'],
  [Type.Object({ city: text() }), { city: 5 }, undefined],
  [Type.Object({ city: text() }, { additionalProperties: false }), { city: 'a', more: 1 }, 'shape'],
  [Type.Object({ zone: Type.Optional(number({ maximum: 9 })) }), { zone: 10 }, 'shape'],
  [Type.Tuple([text(), number()]), ['a', 1], undefined],
  [Type.Tuple([text(), number()]), ['a'], 'shape'],
  [Type.Record(text(), number()), { a: 1 }, undefined],
  [Type.Record(text(), number()), { a: 'x' }, 'shape'],
  [Type.Union([text(), number()]), 5, undefined],
  [Type.Union([text(), number()]), true, 'shape'],
  [Type.Intersect([Type.Object({ a: text() }), Type.Object({ b: text() })]), { a: 'x' }, 'shape']
]

t.test('what a value may be is named', async (t) => {
  const level = Type.Union([Type.Literal('low'), Type.Literal('high')])
  const named: readonly (readonly [TSchema, unknown, string])[] = [
    [level, 'x', 'must be one of low, high'],
    [Type.Literal(3), 4, 'must be one of 3'],
    [Type.Object({ level }), { level: 'x' }, "has a wrong value at /level: Expected 'low', or 'high'"],
    [Type.Array(level), ['x'], "has a wrong value at /0: Expected 'low', or 'high'"]
  ]
  for (const [schema, value, message] of named) {
    const models = buildModels([defineModel('Note', Type.Object({ value: schema }))])
    const refused = await models
      .get('Note')
      .create({ value })
      .catch((error: unknown) => error)
    t.match(refused, { details: { messages: { value: [message] } } })
  }
})

for (const [title, cases] of Object.entries({ keywords, shapes })) {
  t.test(`${title} of schemas are rules`, async (t) => {
    for (const [schema, value, code] of cases) {
      const codes = await refusal(defineModel('Note', Type.Object({ value: schema })), { value })
      const expected = code === undefined ? undefined : { value: [code] }
      t.strictSame(codes, expected, `${JSON.stringify(schema)} ${JSON.stringify(value)}`)
    }
  })
}

t.test('a property that a model leaves out has no rules, and the others keep theirs', async (t) => {
  // As LoopBack 3.28 answers.
  const base: ModelDefinition = {
    name: 'Base',
    properties: { name: { type: 'string', required: true }, code: 'string', other: { type: 'string', required: true } },
    validations: { code: { rule: 'length', min: 2 } }
  }
  for (const leftOut of [false, null]) {
    const properties = { name: leftOut, code: leftOut } as object as NonNullable<ModelDefinition['properties']> // as files have it
    const sub: ModelDefinition = { name: 'Sub', base: 'Base', properties }
    t.strictSame(await refusal(sub, {}, [base]), { other: ['presence'] })
    t.equal(await refusal(sub, { other: 'x', code: 'z' }, [base]), undefined)
  }
})

t.test('what code puts into a list of a new instance is looked at', async (t) => {
  const lists: readonly (readonly [TSchema, unknown])[] = [
    [Type.Array(text()), ['a', 5]],
    [Type.Array(text()), 'text'],
    [Type.Array(Type.Integer()), [1.5]],
    [Type.Array(number()), [Number.POSITIVE_INFINITY]],
    [Type.Array(Type.Boolean()), ['true']],
    [Type.Array(text()), Object.assign(['a'], { length: 2 })]
  ]
  for (const [schema, value] of lists) {
    const Note = buildModels([defineModel('Note', Type.Object({ value: schema }))]).get('Note')
    const note = new Note({ value: [] })
    Object.assign(note, { value })
    const refused = await note.save().catch((error: unknown) => error)
    t.match(refused, { details: { codes: { value: ['shape'] } } }, JSON.stringify(value))
  }
})

t.test('lists of a kind of the application are looked at by it', async (t) => {
  TypeRegistry.Set<TSchema>('Even', (_schema, value) => Number(value) % 2 === 0)
  const even = Type.Unsafe<number>({ [Kind]: 'Even', type: 'integer' })
  const definition = defineModel('Note', Type.Object({ value: Type.Array(even) }))
  t.strictSame(await refusal(definition, { value: [2, 3] }), { value: ['shape'] })
  t.equal(await refusal(definition, { value: [2, 4] }), undefined)
})
