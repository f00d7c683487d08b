import type { WithDefaults } from '@modelwire/server'
import { type Static, Type } from '@sinclair/typebox'

/** Options of the plugin `acl`. */
export const AclOptionsSchema = Type.Object(
  {
    userModel: Type.Optional(
      Type.String({ default: 'User', description: 'base model of all users; models that extend it are users, too' })
    ),
    dataSource: Type.Optional(
      Type.String({ description: 'data source of roles and stored rules; may be omitted when there is only one' })
    ),
    stores: Type.Optional(
      Type.Array(Type.Union([Type.Literal('roles'), Type.Literal('rules')]), {
        default: ['roles', 'rules'],
        description:
          'what is stored in addition to the rules of models: roles in Role and RoleMapping, rules in ACL and Scope'
      })
    ),
    errorStatus: Type.Optional(
      Type.Union([Type.Literal(401), Type.Literal(403), Type.Literal(404)], {
        default: 401,
        description: 'status for a known caller whose access is denied; a model overrides it with aclErrorStatus'
      })
    ),
    checkIncludes: Type.Optional(
      Type.Boolean({ default: true, description: 'include enforces the rules of the related model; LoopBack does not' })
    ),
    nested: Type.Optional(
      Type.Union([Type.Literal('parent'), Type.Literal('target')], {
        default: 'target',
        description:
          'whose rules apply to nested routes; target: those of the related model in addition to those of the model in the path'
      })
    ),
    recheckOwner: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          'records that an owner writes must still belong to that owner afterwards; LoopBack does not check this'
      })
    ),
    roles: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'roles that rules name and that will be stored later; all others must be stored or registered at startup'
      })
    ),
    showWritten: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'responses to writes include the record even if the caller may not read it, as in LoopBack'
      })
    ),
    storedRulesAge: Type.Optional(
      Type.Integer({
        minimum: 0,
        default: 1000,
        unit: 'ms',
        description: 'milliseconds until rules stored by another process take effect'
      })
    )
  },
  { additionalProperties: false }
)
export type AclOptions = Static<typeof AclOptionsSchema>

/** The options with their defaults. */
export type AclSettings = WithDefaults<typeof AclOptionsSchema>
