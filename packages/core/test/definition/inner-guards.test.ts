import { Type, type TSchema } from '@sinclair/typebox'
import t from 'tap'
import { defineModel } from '#src/index.ts'

const guarded: Readonly<Record<string, TSchema>> = {
  'an object': Type.Object({ a: Type.String({ readOnly: true }) }),
  'a list': Type.Array(Type.Object({ a: Type.String({ writeOnce: true }) })),
  'a union with null': Type.Union([Type.String({ hidden: true }), Type.Null()]),
  'an intersection': Type.Intersect([Type.Object({ a: Type.String({ fromCaller: 'userId' }) })])
}

for (const [name, part] of Object.entries(guarded))
  t.test(`what clients may set and see of a part of ${name} is refused at the start`, async (t) => {
    const error = { code: 'MODEL_DEFINITION_INVALID', message: /properties.part/ }
    t.throws(() => defineModel('Note', Type.Object({ part })), error)
  })

t.test('whole properties have these settings, and parts may be named after them', async (t) => {
  const part = Type.Object({ readOnly: Type.Boolean(), hidden: Type.Boolean() }, { readOnly: true })
  t.ok(defineModel('Note', Type.Object({ part, other: Type.Optional(Type.Unknown({ default: { hidden: true } })) })))
})
