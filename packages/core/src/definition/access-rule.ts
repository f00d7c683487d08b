import { Type, type Static } from '@sinclair/typebox'
import type { RowsFunction } from './rows-function.ts'

/** One entry of `acls`. Its meaning lives in the package acl. */
export const AccessRuleSchema = Type.Object(
  {
    principalType: Type.Optional(Type.String({ description: 'USER, APP, SCOPE or ROLE' })),
    principalId: Type.Optional(Type.Union([Type.String(), Type.Number()])),
    accessType: Type.Optional(Type.String({ description: 'READ, WRITE, EXECUTE or *' })),
    permission: Type.Optional(Type.String({ description: 'ALLOW or DENY' })),
    property: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())], { description: 'method names' })),
    rows: Type.Optional(
      Type.Union([Type.Literal('$owner'), Type.Unsafe<RowsFunction>(Type.Function([], Type.Unknown()))], {
        description:
          "lists hold some records alone, and other methods work on them alone: the caller's own, or those that a function names"
      })
    )
  },
  { additionalProperties: true }
)
export type AccessRule = Static<typeof AccessRuleSchema>
