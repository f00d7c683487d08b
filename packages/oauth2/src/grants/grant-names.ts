/** The names of all grants. */
export const grantNames = [
  'authorizationCode',
  'implicit',
  'clientCredentials',
  'resourceOwnerPasswordCredentials',
  'refreshToken',
  'jwt',
  'deviceCode'
] as const

/** A grant as `supportedGrantTypes` lists it. */
export type GrantName = (typeof grantNames)[number]
