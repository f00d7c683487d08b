import type { AccessRule, ModelDefinition, ModelRegistry } from '@modelwire/core'

const everyone = { principalType: 'ROLE', principalId: '$everyone' } as const
const owner = { principalType: 'ROLE', principalId: '$owner' } as const
const authenticated = { principalType: 'ROLE', principalId: '$authenticated' } as const

/** Properties of users that version 3 has no more. */
const propertiesOfVersion2: ModelDefinition['properties'] = {
  credentials: 'object',
  challenges: 'object',
  status: 'string',
  created: 'date',
  lastUpdated: 'date'
}

/** What callers may do with accounts unless a model adds rules. */
const accountRules: readonly AccessRule[] = [
  { ...everyone, permission: 'DENY' },
  ...['create', 'login', 'logout', 'confirm'].map((property): AccessRule => ({
    ...everyone,
    permission: 'ALLOW',
    property
  })),
  ...['verify', 'resetPassword'].map((property): AccessRule => ({
    ...everyone,
    permission: 'ALLOW',
    property,
    accessType: 'EXECUTE'
  })),
  ...['deleteById', 'findById', 'patchAttributes', 'replaceById'].map((property): AccessRule => ({
    ...owner,
    permission: 'ALLOW',
    property
  })),
  ...['changePassword', 'setPassword'].map((property): AccessRule => ({
    ...authenticated,
    permission: 'ALLOW',
    property,
    accessType: 'EXECUTE'
  }))
]

/**
 * The model of users.
 * @see LoopBack 3: loopback, common/models/user.json
 */
export function userModel(version: ModelRegistry['version'] = 3): ModelDefinition {
  return {
    name: 'User',
    base: 'PersistedModel',
    public: false,
    properties: {
      realm: { type: 'string' },
      username: { type: 'string' },
      password: { type: 'string', required: true, keepsType: true },
      ...(version === 2 ? propertiesOfVersion2 : {}),
      email: { type: 'string', required: true, keepsType: true },
      emailVerified: 'boolean',
      verificationToken: 'string'
    },
    caseSensitiveEmail: true,
    hidden: ['password', 'verificationToken'],
    acls: [...accountRules],
    relations: {
      accessTokens: {
        type: 'hasMany',
        model: 'AccessToken',
        foreignKey: 'userId',
        options: { disableInclude: true }
      }
    }
  }
}

/**
 * The model of tokens that identify callers.
 * @see LoopBack 3: loopback, common/models/access-token.json
 */
export const accessTokenModel: ModelDefinition = {
  name: 'AccessToken',
  base: 'PersistedModel',
  public: false,
  holdsSecrets: true,
  properties: {
    id: { type: 'string', id: true },
    ttl: { type: 'number', default: 1_209_600, description: 'time to live in seconds; two weeks by default' },
    scopes: { type: ['string'], description: 'what the token may be used for' },
    created: { type: 'date', defaultFn: 'now' }
  },
  relations: { user: { type: 'belongsTo', model: 'User', foreignKey: 'userId' } },
  acls: [{ ...everyone, permission: 'DENY' }]
}
