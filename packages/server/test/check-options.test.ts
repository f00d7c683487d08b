import { Type } from '@sinclair/typebox'
import t from 'tap'
import { checkOptions } from '#src/options.ts'

const schema = Type.Object(
  {
    size: Type.Optional(Type.Integer({ minimum: 1, description: 'bytes' })),
    inner: Type.Optional(Type.Object({ flag: Type.Boolean() }, { additionalProperties: false }))
  },
  { additionalProperties: false }
)

t.test('options that suit the schema pass, and so do those of Fastify', async () => {
  for (const options of [
    {},
    { size: 1 },
    { size: undefined },
    { prefix: '/api', logLevel: 'warn', logSerializers: {} }
  ]) {
    checkOptions('sample', schema, options)
  }
})

const wrong: readonly (readonly [options: object, key: string])[] = [
  [{ size: 'x' }, 'size'],
  [{ size: 0 }, 'size'],
  [{ siez: 1 }, 'siez'],
  [{ inner: {} }, 'inner.flag'],
  [{ inner: { flag: 1 } }, 'inner.flag'],
  [{ inner: { flag: true, more: 1 } }, 'inner.more']
]

t.test('an unknown or malformed option is named', async (t) => {
  for (const [options, key] of wrong) {
    const error = { code: 'OPTION_INVALID', where: { key }, message: new RegExp(`"${key}" of sample`) }
    t.throws(() => checkOptions('sample', schema, options), error, JSON.stringify(options))
  }
  t.throws(() => checkOptions('sample', schema, { size: 0 }), { code: 'OPTION_INVALID', message: /\(bytes\)/ })
})
