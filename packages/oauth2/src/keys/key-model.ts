import type { ModelDefinition } from '@modelwire/core'

/** Signing keys, which all processes share. Private parts are encrypted with a secret that is not in the database. */
export const signingKeyModel: ModelDefinition = {
  name: 'OAuthSigningKey',
  base: 'PersistedModel',
  public: false,
  forceId: false,
  properties: {
    id: { type: 'number', id: true, generated: false, description: 'generation: 1, 2, 3, …' },
    kid: { type: 'string', length: 64 },
    algorithm: { type: 'string', length: 16 },
    publicKey: { type: 'text', description: 'JWK' },
    privateKey: { type: 'text', description: 'encrypted JWK' },
    publishedAt: 'date',
    retiredAt: 'date',
    tokensUntil: { type: 'date', description: 'tokens that the key signed are dead by then' }
  },
  hidden: ['privateKey']
}
