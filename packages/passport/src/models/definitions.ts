import type { AccessRule, ModelDefinition } from '@modelwire/core'

const ownersOnly: readonly AccessRule[] = [
  { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' },
  { principalType: 'ROLE', principalId: '$owner', permission: 'ALLOW' }
]

const dates = { created: 'date', modified: 'date' } as const

const account = {
  provider: { type: 'string', description: 'name of the provider, such as facebook' },
  authScheme: { type: 'string', description: 'how the provider signs users in, such as oAuth 2.0' },
  externalId: { type: 'string', description: 'id of the user at the provider' },
  profile: { type: 'object' },
  credentials: { type: 'object' },
  ...dates
} as const

const ofUser = { user: { type: 'belongsTo', model: 'User', foreignKey: 'userId' } } as const

/**
 * The models, as defined by their files in loopback-component-passport. Scripts that require the module get the same models
 * without rules.
 * @see LoopBack 3: loopback-component-passport, lib/models
 */
export const passportDefinitions: readonly ModelDefinition[] = [
  {
    name: 'ApplicationCredential',
    base: 'PersistedModel',
    holdsSecrets: true,
    properties: {
      provider: { type: 'string', required: true, description: 'name of the provider, such as facebook' },
      authScheme: { type: 'string', description: 'how the provider signs users in, such as oAuth 2.0' },
      credentials: 'object',
      ...dates
    },
    relations: { application: { type: 'belongsTo', model: 'Application', foreignKey: 'appId' } }
  },
  {
    name: 'UserCredential',
    base: 'PersistedModel',
    holdsSecrets: true,
    properties: account,
    acls: [...ownersOnly],
    relations: ofUser
  },
  {
    name: 'UserIdentity',
    plural: 'UserIdentities',
    base: 'PersistedModel',
    holdsSecrets: true,
    properties: account,
    acls: [...ownersOnly],
    relations: ofUser
  }
]
