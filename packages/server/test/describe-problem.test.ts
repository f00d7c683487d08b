import { Type } from '@sinclair/typebox'
import t from 'tap'
import { checkOptions, problemOf } from '#src/options.ts'

const Schema = Type.Object(
  {
    mode: Type.Optional(Type.Union([Type.Literal('on'), Type.Literal('off')])),
    secret: Type.Optional(
      Type.Union([Type.String({ minLength: 8 }), Type.Array(Type.String({ minLength: 8 }))], { description: 'keys' })
    ),
    tracing: Type.Optional(
      Type.Union([Type.Boolean(), Type.Object({ share: Type.Number({ maximum: 1 }) })], { description: 'spans' })
    )
  },
  { additionalProperties: false }
)

t.test('a mistake in one of several forms of an option says what is asked for', async (t) => {
  const cases: readonly [object, string, RegExp][] = [
    [{ mode: 'of' }, 'mode', /Expected 'on', or 'off'/],
    [{ secret: 'short' }, 'secret', /string length greater or equal to 8, or array \(keys\)/],
    [{ secret: ['short'] }, 'secret.0', /Expected string length greater or equal to 8 \(keys\)/],
    [{ tracing: { share: 2 } }, 'tracing.share', /less or equal to 1 \(spans\)/],
    [{ tracing: 'all' }, 'tracing', /Expected boolean, or object/],
    [{ other: 1 }, 'other', /Unexpected property/]
  ]
  for (const [options, key, message] of cases)
    t.throws(() => checkOptions('x', Schema, options), { code: 'OPTION_INVALID', where: { key }, message })
})

void t.test('keys are those of the value, whatever a pointer makes of them', async (t) => {
  const schema = Type.Object({ paths: Type.Record(Type.String(), Type.Union([Type.Number(), Type.Boolean()])) })
  const problem = problemOf(schema, { paths: { '/a~b': 'x' } })
  t.match(problem, { key: 'paths./a~b', value: 'x', expected: 'expected number, or boolean' })
  t.equal(problemOf(schema, { paths: {} }), undefined)
})
