import type { WithDefaults } from '@modelwire/core/plugin'
import { type Static, Type } from '@sinclair/typebox'

/** Options of the plugin `acl`. */
export const AclOptionsSchema = Type.Object(
  {
    userModel: Type.Optional(
      Type.String({ default: 'User', description: 'model that users are of, with all that extend it' })
    ),
    dataSource: Type.Optional(
      Type.String({ description: 'where roles and stored rules are kept; the only data source where there is one' })
    ),
    stores: Type.Optional(
      Type.Array(Type.Union([Type.Literal('roles'), Type.Literal('rules')]), {
        default: ['roles', 'rules'],
        description: 'what is stored besides the rules of models: roles in Role and RoleMapping, rules in ACL and Scope'
      })
    ),
    errorStatus: Type.Optional(
      Type.Union([Type.Literal(401), Type.Literal(403), Type.Literal(404)], {
        default: 401,
        description: 'answer to a known caller who is denied; a model says otherwise by aclErrorStatus'
      })
    ),
    checkIncludes: Type.Optional(
      Type.Boolean({ default: true, description: "include obeys the rules of the related model; LoopBack's does not" })
    ),
    nested: Type.Optional(
      Type.Union([Type.Literal('parent'), Type.Literal('target')], {
        default: 'target',
        description:
          'whose rules decide on nested routes; target: those of the related model as well as those of the one in the path'
      })
    ),
    recheckOwner: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'what is written stays with its owner; not so in LoopBack'
      })
    ),
    roles: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'roles that rules name and that will be stored later; others must be stored or registered at the start'
      })
    ),
    showWritten: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'answers to writes show the record also to callers who may not read it; so in LoopBack'
      })
    ),
    storedRulesAge: Type.Optional(
      Type.Integer({
        minimum: 0,
        default: 1000,
        unit: 'ms',
        description: 'milliseconds after which rules stored by another process are noticed'
      })
    )
  },
  { additionalProperties: false }
)
export type AclOptions = Static<typeof AclOptionsSchema>

/** The options with their defaults. */
export type AclSettings = WithDefaults<typeof AclOptionsSchema>
