import { Type, type Static } from '@sinclair/typebox'
import type { RowsFunction } from './rows-function.ts'

/** Properties by their names: those that are listed, or all others. */
const FieldNamesSchema = Type.Union([
  Type.Array(Type.String()),
  Type.Object({ except: Type.Array(Type.String()) }, { additionalProperties: false })
])
export type FieldNames = Static<typeof FieldNamesSchema>

/** One entry of `acls`. Its meaning lives in the package acl. */
export const AccessRuleSchema = Type.Object(
  {
    principalType: Type.Optional(Type.String({ description: 'USER, APP, SCOPE or ROLE' })),
    principalId: Type.Optional(Type.Union([Type.String(), Type.Number()])),
    accessType: Type.Optional(
      Type.Unsafe<'READ' | 'WRITE' | 'EXECUTE' | 'REPLICATE' | '*'>(
        Type.String({ description: 'READ, WRITE, EXECUTE or *' })
      )
    ),
    permission: Type.Optional(
      Type.Unsafe<'ALLOW' | 'DENY' | 'AUDIT' | 'ALARM'>(Type.String({ description: 'ALLOW or DENY' }))
    ),
    property: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())], { description: 'method names' })),
    rows: Type.Optional(
      Type.Union([Type.String(), Type.Unsafe<RowsFunction>(Type.Function([], Type.Unknown()))], {
        description:
          'some records alone: `$owner` for those of the caller, relations that lead from a record to the caller, such as ' +
          '`organisation.members`, or a function that names them'
      })
    ),
    fields: Type.Optional(
      Type.Union(
        [
          FieldNamesSchema,
          Type.Object(
            { read: Type.Optional(FieldNamesSchema), write: Type.Optional(FieldNamesSchema) },
            { additionalProperties: false }
          )
        ],
        { description: 'some properties alone: a list for reading and setting, or one for each' }
      )
    )
  },
  { additionalProperties: true }
)
export type AccessRule = Static<typeof AccessRuleSchema>
