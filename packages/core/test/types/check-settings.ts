import { defineModel } from '#src/index.ts'

// This function is never called: its lines have to compile, or must not.

const rule = { principalType: 'ROLE', principalId: '$everyone', permission: 'ALLOW' } as const
const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } as const

export function settings(): void {
  defineModel('A', schema, {
    acls: [rule, { ...rule, property: ['find', 'count'], accessType: 'READ' }],
    mixins: { TimeStamp: { createdAt: 'made' }, SoftDelete: true, OwnMixin: { any: 1 } },
    validations: {
      a: [
        { rule: 'length', max: 3, message: { max: 'is too long' } },
        { rule: 'format', with: /^a/ }
      ]
    },
    scope: { where: { a: 'x' }, order: 'a' }
  })
  defineModel('A', schema, { validations: [{ property: 'a', rule: 'uniqueness', scopedTo: ['b'] }] })
  // @ts-expect-error misspelt
  defineModel('A', schema, { relatons: {} })
  // @ts-expect-error misspelt
  defineModel('A', schema, { acls: [{ principalTyp: 'ROLE', principalId: '$everyone', permission: 'ALLOW' }] })
  // @ts-expect-error misspelt in the second rule
  defineModel('A', schema, { acls: [rule, { ...rule, propert: 'find' }] })
  // @ts-expect-error there is no such permission
  defineModel('A', schema, { acls: [{ ...rule, permission: 'ALOW' }] })
  // @ts-expect-error the mixin has no such option
  defineModel('A', schema, { mixins: { TimeStamp: { creatdAt: 'made' } } })
  // @ts-expect-error there is no such rule
  defineModel('A', schema, { validations: { a: { rule: 'presense' } } })
  // @ts-expect-error misspelt
  defineModel('A', schema, { validations: { a: { rule: 'length', maxx: 3 } } })
  // @ts-expect-error misspelt in a list
  defineModel('A', schema, { validations: [{ property: 'a', rule: 'length', maxx: 3 }] })
  // @ts-expect-error misspelt
  defineModel('A', schema, { scope: { wher: {} } })
}
