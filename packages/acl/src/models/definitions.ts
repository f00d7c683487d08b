import type { ModelDefinition } from '@modelwire/core'

const internal = { public: false } as const

/** Stored access rules. @see LoopBack 3: loopback, common/models/acl.json */
const aclModel: ModelDefinition = {
  ...internal,
  name: 'ACL',
  base: 'PersistedModel',
  properties: {
    model: { type: 'string', description: 'name of the model' },
    property: { type: 'string', description: 'name of the method' },
    accessType: 'string',
    permission: 'string',
    principalType: 'string',
    principalId: 'string'
  }
}

/** Named groups of principals. Ids are the database's own, whatever LoopBack's file says. @see LoopBack 3: loopback, common/models/role.json */
const roleModel: ModelDefinition = {
  ...internal,
  name: 'Role',
  base: 'PersistedModel',
  properties: {
    name: { type: 'string', required: true },
    description: 'string',
    created: { type: 'date', defaultFn: 'now' },
    modified: { type: 'date', defaultFn: 'now' }
  },
  relations: { principals: { type: 'hasMany', model: 'RoleMapping', foreignKey: 'roleId' } },
  validations: [{ property: 'name', rule: 'uniqueness' }]
}

/** Who is in which role. @see LoopBack 3: loopback, common/models/role-mapping.json */
const roleMappingModel: ModelDefinition = {
  ...internal,
  name: 'RoleMapping',
  base: 'PersistedModel',
  properties: {
    principalType: { type: 'string', description: 'USER, APP, ROLE or the name of a user model' },
    principalId: { type: 'string', index: true }
  },
  relations: { role: { type: 'belongsTo', model: 'Role', foreignKey: 'roleId' } }
}

/** Permissions granted to client applications. @see LoopBack 3: loopback, common/models/scope.json */
export const scopeModel: ModelDefinition = {
  ...internal,
  name: 'Scope',
  base: 'PersistedModel',
  properties: { name: { type: 'string', required: true }, description: 'string' }
}

/** The models of access control in an order in which they can be defined. */
export const accessModels: readonly ModelDefinition[] = [aclModel, roleModel, roleMappingModel, scopeModel]
