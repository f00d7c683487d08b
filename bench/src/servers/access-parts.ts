import { acl } from '@modelwire/acl'
import type { AccessRule } from '@modelwire/core'
import { users, type UsersOptions } from '@modelwire/users'
import type { FastifyInstance } from 'fastify'

/** How products are guarded: by nothing, by rules that let everyone read, by one that requires a token, by rows and fields. */
export type Guarded = 'none' | 'open' | 'token' | 'rows'

/** The token of the one who calls where one is asked for. */
export const benchToken = 'B'.repeat(64)

/** The one account. */
export const benchAccount = { email: 'ann@shop.org', password: 'a secret that nobody guesses' }

const everyone = { principalType: 'ROLE', principalId: '$everyone' }

/** The rules of products. */
export const productRules: Readonly<Record<Guarded, AccessRule[]>> = {
  none: [],
  open: [
    { ...everyone, permission: 'DENY' },
    { ...everyone, permission: 'ALLOW', accessType: 'READ' }
  ],
  token: [
    { ...everyone, permission: 'DENY' },
    { principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW', accessType: 'READ' }
  ],
  rows: [
    { ...everyone, permission: 'DENY' },
    {
      principalType: 'ROLE',
      principalId: '$authenticated',
      permission: 'ALLOW',
      rows: () => ({ price: { gte: 0 } }),
      fields: { read: { except: ['weight'] } }
    }
  ]
}

/** Registers access control and users as applications do, with one more user model. */
export async function addAccess(app: FastifyInstance, options: UsersOptions): Promise<void> {
  await app.register(acl)
  await app.register(users, { ...options, rateLimit: false })
  app.models.define({ name: 'Customer', base: 'User', public: true })
  app.models.attach('Customer', 'db')
}

/** Stores the one account and a token of it. */
export async function fillAccess(app: FastifyInstance): Promise<void> {
  const { id } = await app.models.get('Customer').create({ ...benchAccount })
  await app.models.get('AccessToken').create({ id: benchToken, userId: id })
}
