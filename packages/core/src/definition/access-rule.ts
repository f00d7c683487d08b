import { Type, type Static } from '@sinclair/typebox'

/** One entry of `acls`. Its meaning lives in the package acl. */
export const AccessRuleSchema = Type.Object(
  {
    principalType: Type.Optional(Type.String({ description: 'USER, APP, SCOPE or ROLE' })),
    principalId: Type.Optional(Type.Union([Type.String(), Type.Number()])),
    accessType: Type.Optional(Type.String({ description: 'READ, WRITE, EXECUTE or *' })),
    permission: Type.Optional(Type.String({ description: 'ALLOW or DENY' })),
    property: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())], { description: 'method names' })),
    rows: Type.Optional(
      Type.Literal('$owner', { description: "lists hold the caller's records alone, other methods work on them alone" })
    )
  },
  { additionalProperties: true }
)
export type AccessRule = Static<typeof AccessRuleSchema>
